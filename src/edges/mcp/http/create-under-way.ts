import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'

/** How many requests of each caller are on their way. */
export interface UnderWay {
  /** False where the caller has as many as it may; nothing is counted then. */
  begin(key: string): boolean
  end(key: string): void
}

export function createUnderWay(max: number): UnderWay {
  const counts = new Map<string, number>()
  return {
    begin(key) {
      const count = counts.get(key) ?? 0
      if (count >= max) return false
      counts.set(key, count + 1)
      return true
    },
    end(key) {
      const count = counts.get(key)! - 1
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}

export function tooManyUnderWay(): McpError {
  return new McpError(mcpErrorCodes.internal, 'Too many requests are under way; wait for some of them.')
}
