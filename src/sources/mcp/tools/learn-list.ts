import type { JsonObject } from '../protocol/json-rpc.js'
import type { Steps } from '../../../platform/async/steps.js'
import type { ServerFacts } from '../connection/connection.js'
import type { LeftOut } from './list-pages.js'
import { acceptNew, definitionsOf, type KeptTools } from './pins.js'
import { withoutBadHeaders } from './without-bad-headers.js'
import { withoutWildSchemas } from './without-wild-schemas.js'

/** More of it is shown to nobody. */
const MAX_INSTRUCTIONS_CHARS = 2_000

/** What is kept of what a server said of itself. */
export type SaidFacts = Pick<ServerFacts, 'protocolVersion' | 'instructions'>

/** What a list made of what was kept before. */
export interface LearntList {
  readonly entries: readonly JsonObject[]
  readonly facts: SaidFacts
  readonly base: KeptTools
  readonly next: KeptTools
  readonly leftOut: readonly LeftOut[]
}

/** Takes over what can be offered. Tools that were never seen before are accepted as they are. */
export function* learnList(
  base: KeptTools,
  entries: readonly JsonObject[],
  facts: SaidFacts,
): Steps<LearntList> {
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
