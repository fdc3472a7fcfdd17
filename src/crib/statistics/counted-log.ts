import { emptyBucket, packBucket, unpackBucket, type Bucket, type PackedBucket } from './bucket.js'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The lengths of buckets, the shortest first, and how long buckets of each length are kept. */
export const levels = [
  { lengthMs: MINUTE_MS, keptMs: 2 * DAY_MS },
  { lengthMs: HOUR_MS, keptMs: 35 * DAY_MS },
  { lengthMs: DAY_MS, keptMs: Number.POSITIVE_INFINITY },
] as const

/** An hour with its minutes, or a day: what one document has. */
export interface StoredSpan {
  readonly bucket: PackedBucket
  readonly minutes?: Readonly<Record<string, PackedBucket>>
}

/**
 * The part of a log that was counted. Each call is counted once in each length of buckets, so that buckets of one
 * length are dropped when they are old, without merging: no process can merge what another has merged.
 */
export interface CountedLog {
  /** Everything up to it is counted. */
  position: number
  /** Counts something that happened at this time, in the buckets that are still kept. */
  count(at: number, add: (bucket: Bucket) => void): void
  /** Buckets of this length that start in the span, the oldest first. */
  buckets(lengthMs: number, since: number, until: number): Iterable<readonly [number, Bucket]>
  /** Drops buckets that are older than their length is kept. */
  forget(): void
  /** How many documents differ from the stored ones, about. */
  readonly changedCount: number
  /** These documents, by id; undefined: it is to be removed. From here on they count as stored. */
  takeChanges(): ReadonlyMap<string, StoredSpan | undefined>
  /** Changes that were taken and could not be stored. */
  giveBack(ids: Iterable<string>): void
  load(id: string, span: StoredSpan): void
}

export function createCountedLog(now: () => number): CountedLog {
  const byLength = new Map<number, Map<number, Bucket>>(levels.map(({ lengthMs }) => [lengthMs, new Map()]))
  const changed = { hours: new Set<number>(), days: new Set<number>() }

  function bucketAt(lengthMs: number, at: number): Bucket {
    const start = startOf(lengthMs, at)
    const buckets = byLength.get(lengthMs)!
    let bucket = buckets.get(start)
    if (!bucket) buckets.set(start, (bucket = emptyBucket()))
    return bucket
  }

  function hourSpan(start: number): StoredSpan | undefined {
    const bucket = byLength.get(HOUR_MS)!.get(start)
    if (!bucket) return undefined
    const minutes: Record<string, PackedBucket> = {}
    for (const [at, minute] of inSpan(byLength.get(MINUTE_MS)!, MINUTE_MS, start, start + HOUR_MS))
      minutes[at] = packBucket(minute)
    return { bucket: packBucket(bucket), minutes }
  }

  return {
    position: 0,
    count(at, add) {
      const today = now()
      for (const { lengthMs, keptMs } of levels)
        if (at >= keptSince(keptMs, today)) add(bucketAt(lengthMs, at))
      changed.hours.add(startOf(HOUR_MS, at))
      changed.days.add(startOf(DAY_MS, at))
    },
    buckets: (lengthMs, since, until) => inSpan(byLength.get(lengthMs)!, lengthMs, since, until),
    forget() {
      const today = now()
      for (const { lengthMs, keptMs } of levels) {
        const oldest = keptSince(keptMs, today)
        const buckets = byLength.get(lengthMs)!
        for (const start of buckets.keys()) {
          if (start >= oldest) continue
          buckets.delete(start)
          changed.hours.add(startOf(HOUR_MS, start))
        }
      }
    },
    get changedCount() {
      return changed.hours.size + changed.days.size
    },
    takeChanges() {
      const days = byLength.get(DAY_MS)!
      const taken = new Map<string, StoredSpan | undefined>()
      for (const start of changed.hours) taken.set(`hour:${start}`, hourSpan(start))
      for (const start of changed.days) taken.set(`day:${start}`, { bucket: packBucket(days.get(start)!) })
      changed.hours.clear()
      changed.days.clear()
      return taken
    },
    giveBack(ids) {
      for (const id of ids) {
        const [unit, start] = id.split(':')
        changed[unit === 'hour' ? 'hours' : 'days'].add(Number(start))
      }
    },
    load(id, { bucket, minutes = {} }) {
      const [unit, start] = id.split(':')
      byLength.get(unit === 'hour' ? HOUR_MS : DAY_MS)!.set(Number(start), unpackBucket(bucket))
      for (const [at, minute] of Object.entries(minutes))
        byLength.get(MINUTE_MS)!.set(Number(at), unpackBucket(minute))
    },
  }
}

/** Whole days: a day is readable in minutes, or it is not. */
export function keptSince(keptMs: number, now: number): number {
  return keptMs === Number.POSITIVE_INFINITY ? 0 : startOf(DAY_MS, now - keptMs)
}

export function startOf(lengthMs: number, at: number): number {
  return at - (at % lengthMs)
}

function* inSpan(
  buckets: ReadonlyMap<number, Bucket>,
  lengthMs: number,
  since: number,
  until: number,
): Generator<readonly [number, Bucket], void, void> {
  for (let start = Math.ceil(since / lengthMs) * lengthMs; start < until; start += lengthMs) {
    const bucket = buckets.get(start)
    if (bucket) yield [start, bucket]
  }
}
