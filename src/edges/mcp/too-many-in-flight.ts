import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'

export function tooManyInFlight(): McpError {
  return new McpError(mcpErrorCodes.internal, 'Too many requests are under way; wait for some of them.')
}
