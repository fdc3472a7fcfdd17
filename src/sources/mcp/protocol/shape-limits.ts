/** What one message may bring: reading it, and each walk through it, takes time in which nobody else is served. */
export interface ShapeLimits {
  readonly maxBytes: number
  /** Numbers, texts, lists, objects and all else that JSON counts as a value. */
  readonly maxValues: number
  /** Each name of a member that was not there before makes reading slower than its value does. */
  readonly maxNames?: number
}

export type ShapeProblem = 'bytes' | 'values' | 'names' | 'depth'

/** Less than this is read without a look: its shape cannot hold up anybody. */
export const UNSCANNED_BYTES = 64 * 1024
export const MAX_NAMES = 25_000
export const MAX_DEPTH = 25_000

/** What servers may send. A file of 20 MB as text stays below it, and so does a table of 10,000 rows. */
export const SERVER_LIMITS: ShapeLimits = { maxBytes: 24 * 1024 * 1024, maxValues: 100_000 }
/** What a message of a client may have: its input is judged, recorded and sent on, each a walk of its own. */
export const CLIENT_SHAPE = { maxValues: 50_000, maxNames: 10_000 }

/** How much may come of a message that is not read before its end is no longer waited for. */
const UNREAD_BYTES = 16 * 1024 * 1024
const UNREAD_FACTOR = 4

export function mostUnreadBytes({ maxBytes }: ShapeLimits): number {
  return Math.max(UNREAD_BYTES, maxBytes * UNREAD_FACTOR)
}

/** As the end of a sentence that begins with the message. */
export function sayShapeProblem(
  problem: ShapeProblem,
  { maxBytes, maxValues, maxNames = MAX_NAMES }: ShapeLimits,
): string {
  switch (problem) {
    case 'bytes':
      return `is longer than ${maxBytes} bytes`
    case 'values':
      return `has more than ${maxValues} values`
    case 'names':
      return `has more than ${maxNames} different names of members`
    case 'depth':
      return `is nested more than ${MAX_DEPTH} levels deep`
  }
}

/** The setting that raises the limit, where one does. */
export function settingFor(problem: ShapeProblem): 'maxMessageBytes' | 'maxMessageValues' | undefined {
  if (problem === 'bytes') return 'maxMessageBytes'
  return problem === 'values' ? 'maxMessageValues' : undefined
}
