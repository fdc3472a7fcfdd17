import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import type { OwnedServer } from './create-mcp-server.js'

/**
 * A server where each comes in with a login of their own, without what it would tell everybody over the login of one:
 * what there is to read is as personal as what stands in it. Tools, prompts and templates are the same for all.
 */
export function withoutPersonal(server: OwnedServer): OwnedServer {
  return {
    ...server,
    resources: () => Promise.resolve([]),
    subscribe: () =>
      Promise.reject(
        new McpError(
          mcpErrorCodes.invalidRequest,
          `The server "${server.name}" has a login for each user, and nothing of it can be subscribed to; read it instead.`,
        ),
      ),
  }
}
