import { isUnused, type Count, type Counters } from './counters.js'
import { counted, countedBy, runOf, findShortage, type Need } from './need.js'
import type { WaitQueue } from './wait-queue.js'

const FIRST_SWEEP = 1_000

/** Counts in this process, synchronously. */
export function createLocalCounters(waitQueue: WaitQueue, now: () => number): Counters {
  const counts = new Map<string, Count>()
  let sweepAt = FIRST_SWEEP
  const kept = ({ key }: Need): number | undefined => counts.get(key)?.kept

  function add(need: Need, at: number): void {
    const count = counts.get(need.key)
    if (count) {
      count.kept = counted(need, count.kept, at)
      count.usedAt = at
      return
    }
    counts.set(need.key, toCount(need, counted(need, undefined, at), at))
    if (counts.size < sweepAt) return
    for (const [key, each] of counts) if (isUnused(each, at)) counts.delete(key)
    // The next sweep comes at twice the size, so that each count is examined only a few times.
    sweepAt = Math.max(FIRST_SWEEP, counts.size * 2)
  }

  return {
    take(needs, call) {
      const at = now()
      const short = findShortage(needs, { kept, now: at, before: waitQueue.before(call) })
      if (!short) for (const need of needs) add(need, at)
      return short
    },
    list: async () => [...counts.values()].map((count) => ({ ...count })),
  }
}

export function toCount({ kind, limit, tool, row }: Need, kept: number, usedAt: number): Count {
  return {
    limitId: limit.id,
    kind,
    of: countedBy(limit, tool, row),
    ...(kind === 'run' && { run: runOf(row) }),
    kept,
    usedAt,
  }
}
