import { remember } from '../../../platform/json/remember.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { whyRefused } from '../../../platform/validation/measure-schema.js'
import type { LeftOut, Listed } from './list-pages.js'
import { parseTool } from './tool-definition.js'

/** Why the schemas of a tool cannot be checked in bounded time; undefined where they can. */
export const whyWild = remember((raw: JsonObject): string | undefined => {
  const tool = parseTool(raw)
  return [tool?.inputSchema, tool?.outputSchema]
    .map((schema) => schema && whyRefused(schema))
    .find((found) => found !== undefined)
})

/** A tool whose schemas cannot be checked in bounded time, here or at a client, is not offered. */
export function withoutWildSchemas(list: readonly JsonObject[]): Pick<Listed, 'entries' | 'leftOut'> {
  const leftOut: LeftOut[] = []
  const entries = list.filter((raw) => {
    const why = whyWild(raw)
    if (why !== undefined) leftOut.push({ name: parseTool(raw)?.name, why })
    return why === undefined
  })
  return { entries, leftOut }
}
