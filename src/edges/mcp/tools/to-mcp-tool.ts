import { isJsonObject, type JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
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
 * How a client is told of a tool, except for its name: what an MCP server said of it, without loss, or else what its
 * neutral draft says; an output schema that a mask could break, or of a tool whose data may be held back, also takes data
 * that was shortened or redacted. Nothing for a tool that takes something else than an object.
 */
export function toMcpTool(tool: CatalogTool, isWithheld = false): JsonObject | undefined {
  const made = isWithheld ? definitions.withheld : definitions.plain
  const known = made.get(tool)
  if (known) return known
  const native = mcpDefinition(tool.draft)
  const said = native ?? (toObjectSchema(tool.draft.input.modelSchema) && ownTool(tool))
  const told = said && withPromise(tool, said, isWithheld)
  if (told) made.set(tool, told)
  return told
}

function withPromise({ draft }: CatalogTool, definition: JsonObject, isWithheld: boolean): JsonObject {
  const { outputSchema, ...rest } = definition
  if (!isJsonObject(outputSchema)) return definition
  if (!isWithheld && !mayNotFit(outputSchema, draft.output)) return definition
  const promised = promisedSchema(outputSchema)
  return { ...rest, ...(promised && { outputSchema: promised }) }
}

function ownTool(tool: CatalogTool): JsonObject {
  const [said] = mcp.toList([{ tool, isDeferred: false }], { isNative: false })
  return { ...said }
}
