import type { JsonObject } from '../protocol/json-rpc.js'
import { eraOf } from '../protocol/revisions.js'
import { headerFields } from '../header-fields.js'
import type { LeftOut, Listed } from './list-pages.js'
import { parseTool } from './tool-definition.js'

/** In the later era, a tool whose marks for headers are not valid must not be offered. */
export function withoutBadHeaders(
  list: readonly JsonObject[],
  protocolVersion: string,
): Pick<Listed, 'entries' | 'leftOut'> {
  if (eraOf(protocolVersion) !== 'modern') return { entries: list, leftOut: [] }
  const leftOut: LeftOut[] = []
  const entries = list.filter((raw) => {
    const tool = parseTool(raw)
    const found = tool?.inputSchema && headerFields(tool.inputSchema)
    if (found?.kind !== 'invalid') return true
    leftOut.push({ name: tool?.name, why: `has a mark that is not valid (${found.reason})` })
    return false
  })
  return { entries, leftOut }
}
