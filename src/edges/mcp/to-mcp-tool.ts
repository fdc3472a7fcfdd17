import { isJsonObject, type JsonObject } from '../../foundation/mcp/json-rpc.js'
import type { CatalogTool } from '../../supply/catalog/catalog-tool.js'
import { toObjectSchema } from '../formats/object-schema.js'
import { mcp } from '../formats/mcp.js'
import { promisedSchema } from '../formats/promised-data.js'

const definitions = new WeakMap<CatalogTool, JsonObject>()

/**
 * How a client is told of a tool, except for its name: what a server said of it, or else what the tool says of itself.
 * Its output schema also takes the data of a result that was shortened or redacted. Nothing for a tool that takes something else than an object.
 */
export function toMcpTool(tool: CatalogTool): JsonObject | undefined {
  const known = definitions.get(tool)
  if (known) return known
  const { native, input } = tool.draft
  const made = native ? ofServer(native) : toObjectSchema(input.modelSchema) && ownTool(tool)
  if (made) definitions.set(tool, made)
  return made
}

function ofServer(native: JsonObject): JsonObject {
  const { outputSchema, ...rest } = native
  if (!isJsonObject(outputSchema)) return native
  const promised = promisedSchema(outputSchema)
  return { ...rest, ...(promised && { outputSchema: promised }) }
}

function ownTool(tool: CatalogTool): JsonObject {
  const [said] = mcp.toList([{ tool, isDeferred: false }], { isNative: false })
  return { ...said }
}
