import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'

export function invalidParams(message: string, data?: unknown): McpError {
  return new McpError(mcpErrorCodes.invalidParams, message, data)
}
