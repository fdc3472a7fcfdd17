/** Limits of one message: parsing it, and each walk through it, blocks the process. */
export interface ShapeLimits {
  readonly maxBytes: number
  /** Numbers, strings, arrays, objects and all other JSON values. */
  readonly maxValues: number
  /** Each new member name makes parsing slower than its value does. */
  readonly maxNames?: number
}

export type ShapeProblem = 'bytes' | 'values' | 'names' | 'depth'

/** Smaller messages are parsed without a scan: their shape cannot block the process. */
export const UNSCANNED_BYTES = 64 * 1024
export const MAX_NAMES = 25_000
export const MAX_DEPTH = 25_000

/** Limits for servers. A file of 20 MB as text stays below them, and so does a table of 10,000 rows. */
export const SERVER_LIMITS: ShapeLimits = { maxBytes: 24 * 1024 * 1024, maxValues: 100_000 }
/** Limits for messages of clients: their input is judged, recorded and forwarded, each a walk of its own. */
export const CLIENT_SHAPE = { maxValues: 50_000, maxNames: 10_000 }

/** How many bytes of a rejected message may follow before its end is no longer awaited. */
const UNREAD_BYTES = 16 * 1024 * 1024
const UNREAD_FACTOR = 4

export function mostUnreadBytes({ maxBytes }: ShapeLimits): number {
  return Math.max(UNREAD_BYTES, maxBytes * UNREAD_FACTOR)
}

/** The problem as the end of a sentence whose subject is the message. */
export function describeShapeProblem(
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
