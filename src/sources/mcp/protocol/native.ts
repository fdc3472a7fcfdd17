import type { NativeDefinition } from '../../../catalog/native.js'
import { isJsonObject, type JsonObject } from './json-rpc.js'

/** The protocol, as drafts and records name it. */
export const MCP = 'mcp'

/** A tool's definition as a server gave it; nothing for a tool of another protocol. */
export function mcpDefinition({
  native,
}: {
  readonly native?: NativeDefinition | undefined
}): JsonObject | undefined {
  return native?.protocol === MCP ? native.definition : undefined
}

/** What a server said of an answer or a failure; nothing where that came by another protocol. */
export function mcpFacts(native: unknown): JsonObject | undefined {
  return isJsonObject(native) && native['source'] === MCP ? native : undefined
}
