import type { JsonObject } from '../../../../foundation/mcp/json-rpc.js'
import { whyRefused } from '../../../../foundation/validation/measure-schema.js'
import type { LeftOut, Listed } from './list-pages.js'
import { parseTool } from './tool-definition.js'

/** A tool whose schema nobody can check by, here or at a client, in bounded time is not offered. */
export function withoutWildSchemas(list: readonly JsonObject[]): Pick<Listed, 'entries' | 'leftOut'> {
  const leftOut: LeftOut[] = []
  const entries = list.filter((raw) => {
    const tool = parseTool(raw)
    const why = [tool?.inputSchema, tool?.outputSchema]
      .map((schema) => schema && whyRefused(schema))
      .find((found) => found !== undefined)
    if (why !== undefined) leftOut.push({ name: tool?.name, why })
    return why === undefined
  })
  return { entries, leftOut }
}
