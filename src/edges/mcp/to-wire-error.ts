import type { JsonRpcFailure } from '../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'

/** Clients get McpErrors as they are. The text of any other error is only reported to the gateway. */
export function toWireError(problem: unknown, report: (problem: unknown) => void): JsonRpcFailure['error'] {
  if (problem instanceof McpError) {
    const { code, message, data } = problem
    return data === undefined ? { code, message } : { code, message, data }
  }
  report(problem)
  return { code: mcpErrorCodes.internal, message: 'Something went wrong in the server. Its log says what.' }
}
