import type { JsonRpcFailure } from '../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'

/** Only what was made for the wire goes over it; the text of any other error stays in the gateway, which is told of it. */
export function toWireError(problem: unknown, tell: (problem: unknown) => void): JsonRpcFailure['error'] {
  if (problem instanceof McpError) {
    const { code, message, data } = problem
    return data === undefined ? { code, message } : { code, message, data }
  }
  tell(problem)
  return { code: mcpErrorCodes.internal, message: 'Something went wrong in the server. Its log says what.' }
}
