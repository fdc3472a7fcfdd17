import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import type { OwnedServer } from './create-mcp-server.js'

/**
 * A server with logins per user, without its shared resources: resources are as personal as their content, and would be
 * listed over one user's login. Tools, prompts and templates are the same for all.
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
