import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { createTurns } from '../../../platform/async/create-turns.js'
import { measure } from '../../changes/measure.js'

const MAX_ENTRIES = 10_000
const MAX_PAGES = 1_000
const MAX_LIST_BYTES = 4 * 1024 * 1024
const ENTRY_LIMITS = { maxDepth: 64, maxBytes: 256 * 1024 }
/** The most omitted entries that are reported one by one. */
const MAX_LEFT_OUT = 100

/** An entry that is omitted. */
export interface LeftOut {
  readonly name: string | undefined
  /** The reason, as the end of a sentence that begins with "it". */
  readonly why: string
}

export interface Listed {
  readonly entries: readonly JsonObject[]
  readonly leftOut: readonly LeftOut[]
  /** How long it may be cached, where the server says so: the shortest time of its pages. */
  readonly ttlMs: number | undefined
  /** Why the list is incomplete. */
  readonly problem: string | undefined
}

export const NOTHING_LISTED: Listed = { entries: [], leftOut: [], ttlMs: undefined, problem: undefined }

/** Loads all pages. A server whose pages never end or repeat is cut off. */
export async function listPages(
  ask: (params: JsonObject | undefined) => Promise<JsonObject>,
  member: string,
  maxEntries = MAX_ENTRIES,
): Promise<Listed> {
  const basket = createBasket(maxEntries)
  const turns = createTurns()
  const seen = new Set<string>()
  let ttlMs: number | undefined
  let cursor: string | undefined
  const listed = (problem: string | undefined): Listed => ({ ...basket.taken(), ttlMs, problem })
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = await ask(cursor === undefined ? undefined : { cursor })
    const found = result[member]
    if (!Array.isArray(found)) throw new TypeError(`its answer has no list "${member}"`)
    for (const entry of found) {
      const problem = basket.take(entry)
      if (problem !== undefined) return listed(problem)
      const wait = turns.due()
      if (wait) await wait
    }
    ttlMs = shorter(ttlMs, result['ttlMs'])
    const next = result['nextCursor']
    if (typeof next !== 'string') return listed(undefined)
    if (seen.has(next)) return listed('its pages lead back to one that was there before')
    seen.add(next)
    cursor = next
  }
  return listed(`it lists more than ${MAX_PAGES} pages; the rest is left out`)
}

function createBasket(maxEntries: number) {
  const entries: JsonObject[] = []
  const leftOut: LeftOut[] = []
  let bytes = 0

  const leave = (entry: unknown, why: string): void => {
    const name = isObject(entry) && typeof entry['name'] === 'string' ? entry['name'] : undefined
    if (leftOut.length < MAX_LEFT_OUT) leftOut.push({ name, why })
  }

  return {
    taken: () => ({ entries, leftOut }),
    /** Returns why no more is taken; undefined while more may come. */
    take(entry: unknown): string | undefined {
      if (entries.length === maxEntries)
        return `it lists more than ${maxEntries} entries; the rest is left out`
      if (!isObject(entry)) return void leave(entry, 'is no object')
      const size = measure(entry, ENTRY_LIMITS)
      if (size === 'too_deep')
        return void leave(entry, `is nested more than ${ENTRY_LIMITS.maxDepth} levels deep`)
      if (size === 'too_long') return void leave(entry, `is longer than ${ENTRY_LIMITS.maxBytes} bytes`)
      bytes += size
      if (bytes > MAX_LIST_BYTES) return `it lists more than ${MAX_LIST_BYTES} bytes; the rest is left out`
      entries.push(entry)
      return undefined
    },
  }
}

function shorter(ttlMs: number | undefined, given: unknown): number | undefined {
  if (typeof given !== 'number' || !Number.isFinite(given) || given < 0) return ttlMs
  return ttlMs === undefined ? given : Math.min(ttlMs, given)
}
