import { isUnused, type Count, type Counters } from './counters.js'
import { counted, countedBy, runOf, weigh, type Need } from './need.js'
import type { WaitQueue } from './wait-queue.js'

const FIRST_SWEEP = 1_000

/** Counts in this process. Answers at once. */
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
    // Twice as many before the next look: each count is then looked at a few times in its life, and no more.
    sweepAt = Math.max(FIRST_SWEEP, counts.size * 2)
  }

  return {
    take(needs, call) {
      const at = now()
      const short = weigh(needs, { kept, now: at, before: waitQueue.before(call) })
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
