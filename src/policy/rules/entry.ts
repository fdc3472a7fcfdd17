import type { JudgedCall } from '../judged-call.js'
import type { Rule } from './rule.js'

/** Whether something holds. `maybe` if it depends on a fact that was not declared. */
export type Held = 'yes' | 'maybe' | 'no'

export function bothHold(a: Held, b: Held): Held {
  if (a === 'no' || b === 'no') return 'no'
  return a === 'maybe' || b === 'maybe' ? 'maybe' : 'yes'
}

export const DENY = 3
export const ASK = 2
export const ALLOW = 1
export type Rank = typeof DENY | typeof ASK | typeof ALLOW

/** A rule compiled for one tool, ready for look-up. */
export interface Entry {
  readonly rule: Rule
  readonly rank: Rank
  /** It only may hold: a deny then counts as an ask. */
  readonly isMaybe: boolean
  /** The test of the call itself. Absent: none. */
  readonly holds: ((call: JudgedCall) => Held) | undefined
  /** The entry to use if the test says `maybe`; an allow has none. */
  readonly soft: Entry | undefined
}

const RANKS = { deny: DENY, ask: ASK, allow: ALLOW } as const

export function createEntry(rule: Rule, held: 'yes' | 'maybe', holds: Entry['holds']): Entry | undefined {
  // An allow that cannot be read allows nothing, and it denies nothing either.
  if (rule.behavior === 'allow' && rule.problem !== undefined) return undefined
  const rank: Rank = rule.problem === undefined ? RANKS[rule.behavior] : DENY
  if (rank === ALLOW) {
    return held === 'maybe' ? undefined : { rule, rank, isMaybe: false, holds, soft: undefined }
  }
  const soft: Entry = { rule, rank: ASK, isMaybe: true, holds: undefined, soft: undefined }
  if (held === 'maybe') return { ...soft, holds, soft }
  return { rule, rank, isMaybe: false, holds, soft }
}

/** The strictest that holds; the first of equals. Lists are sorted strictest first. */
export function pick(
  best: Entry | undefined,
  entries: readonly Entry[] | undefined,
  call: JudgedCall,
): Entry | undefined {
  if (entries === undefined) return best
  let now = best
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!
    if (now !== undefined && now.rank >= entry.rank) break
    if (entry.holds === undefined) return entry
    const held = entry.holds(call)
    if (held === 'yes') return entry
    if (held === 'maybe' && entry.soft && (now === undefined || now.rank < entry.soft.rank)) now = entry.soft
  }
  return now
}

export function stricterOf(a: Entry | undefined, b: Entry | undefined): Entry | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return b.rank > a.rank ? b : a
}

/** Adds under a key, strictest first, in the order of the rules among equals. */
export function addTo<Key>(map: Map<Key, Entry[]>, key: Key, entry: Entry): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [entry])
  else insert(list, entry)
}

export function insert(list: Entry[], entry: Entry): void {
  let at = list.length
  while (at > 0 && list[at - 1]!.rank < entry.rank) at--
  list.splice(at, 0, entry)
}

/** The first deny or ask that may hold for this call, as an ask. */
export function firstSoft(tight: readonly Entry[], call: JudgedCall): Entry | undefined {
  return tight.find(({ holds }) => holds === undefined || holds(call) !== 'no')?.soft
}
