import type { JsonObject } from '../protocol/json-rpc.js'
import type { Steps } from '../../../platform/async/steps.js'
import type { ServerFacts } from '../connection/connection.js'
import { headerFields } from '../header-fields.js'
import { eraOf } from '../protocol/revisions.js'
import type { LeftOut, Listed } from './list-pages.js'
import { acceptNew, definitionsOf, type KeptTools } from './pins.js'
import { parseTool } from './tool-definition.js'
import { withoutWildSchemas } from './without-wild-schemas.js'

/** The rest of longer instructions is dropped. */
const MAX_INSTRUCTIONS_CHARS = 2_000

/** What is stored of the server's handshake. */
export type HandshakeFacts = Pick<ServerFacts, 'protocolVersion' | 'instructions'>

/** The stored tools before and after a new list. */
export interface UpdatedList {
  readonly entries: readonly JsonObject[]
  readonly facts: HandshakeFacts
  readonly base: KeptTools
  readonly next: KeptTools
  readonly leftOut: readonly LeftOut[]
}

/** Takes over the tools that can be offered. Tools that were never seen before are accepted as they are. */
export function* learnList(
  base: KeptTools,
  entries: readonly JsonObject[],
  facts: HandshakeFacts,
): Steps<UpdatedList> {
  const { protocolVersion } = facts
  const list: JsonObject[] = []
  const leftOut: LeftOut[] = []
  for (const entry of entries) {
    // A single entry may be as large as a hundred others.
    yield
    const bounded = withoutWildSchemas([entry])
    const usable = withoutBadHeaders(bounded.entries, protocolVersion)
    list.push(...usable.entries)
    leftOut.push(...bounded.leftOut, ...usable.leftOut)
  }
  yield
  const instructions = facts.instructions?.slice(0, MAX_INSTRUCTIONS_CHARS)
  const next = acceptNew({ ...base, list, protocolVersion, instructions }, definitionsOf({ list }))
  return { entries, facts, base, next, leftOut }
}

/** In the later era, a tool with invalid header marks must not be offered. */
function withoutBadHeaders(
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
