import type { NativeDefinition } from '../../../catalog/native.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from './json-rpc.js'

/** The protocol's name in drafts and records. */
export const MCP = 'mcp'

/** A tool's definition as the server sent it; undefined for a tool of another protocol. */
export function mcpDefinition({
  native,
}: {
  readonly native?: NativeDefinition | undefined
}): JsonObject | undefined {
  return native?.protocol === MCP ? native.definition : undefined
}

/** Facts of the server about an answer or a failure; undefined where it came by another protocol. */
export function mcpFacts(native: unknown): JsonObject | undefined {
  return isObject(native) && native['source'] === MCP ? native : undefined
}
