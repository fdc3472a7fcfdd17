import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpDefinition } from '../../../sources/mcp/protocol/native.js'
import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { toObjectSchema } from '../../formats/object-schema.js'
import { mcp } from '../../formats/mcp.js'
import { mayNotFit, promisedSchema } from './promised-data.js'

const definitions = {
  plain: new WeakMap<CatalogTool, JsonObject>(),
  withheld: new WeakMap<CatalogTool, JsonObject>(),
}

/**
 * The definition of a tool for clients, except for its name: the MCP server's own definition, or one from the neutral
 * draft. An output schema that a mask could break, or of a tool whose data may be withheld, also accepts shortened or
 * redacted data. Nothing for a tool whose input is not an object.
 */
export function toMcpTool(tool: CatalogTool, isWithheld = false): JsonObject | undefined {
  const made = isWithheld ? definitions.withheld : definitions.plain
  const known = made.get(tool)
  if (known) return known
  const native = mcpDefinition(tool.draft)
  const original = native ?? (toObjectSchema(tool.draft.input.modelSchema) && ownTool(tool))
  const shown = original && withPromise(tool, original, isWithheld)
  if (shown) made.set(tool, shown)
  return shown
}

function withPromise({ draft }: CatalogTool, definition: JsonObject, isWithheld: boolean): JsonObject {
  const { outputSchema, ...rest } = definition
  if (!isObject(outputSchema)) return definition
  if (!isWithheld && !mayNotFit(outputSchema, draft.output)) return definition
  const promised = promisedSchema(outputSchema)
  return { ...rest, ...(promised && { outputSchema: promised }) }
}

function ownTool(tool: CatalogTool): JsonObject {
  const [definition] = mcp.toList([{ tool, isDeferred: false }], { isNative: false })
  return { ...definition }
}
