import type { JsonObject } from '../../foundation/mcp/json-rpc.js'
import type { CatalogTool } from '../../supply/catalog/catalog-tool.js'
import { toObjectSchema } from '../formats/object-schema.js'
import { mcp } from '../formats/mcp.js'

const definitions = new WeakMap<CatalogTool, JsonObject>()

/**
 * How a client is told of a tool, except for its name: what a server said of it, without loss, or else what the tool
 * says of itself. Nothing for a tool that takes something else than an object.
 */
export function toMcpTool(tool: CatalogTool): JsonObject | undefined {
  const known = definitions.get(tool)
  if (known) return known
  const made = tool.draft.native ?? (toObjectSchema(tool.draft.input.modelSchema) && ownTool(tool))
  if (made) definitions.set(tool, made)
  return made
}

function ownTool(tool: CatalogTool): JsonObject {
  const [said] = mcp.toList([{ tool, isDeferred: false }], { isNative: false })
  return { ...said }
}
