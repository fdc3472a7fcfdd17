import type { LimitedCall } from '../rate-limits.js'
import type { Need } from './need.js'

/** The calls of this process that were told to wait, so that whoever came first is first to come in. */
export interface WaitQueue {
  /** How many wait for the same before this call; nothing where nobody waits at all. */
  before(call: LimitedCall): ((need: Need) => number) | undefined
  /** Since when it waits; nothing if it does not. */
  since(call: LimitedCall): number | undefined
  /** Keeps the slot of the call, or gives it one at the end. */
  stay(call: LimitedCall, needs: readonly Need[], waitMs: number): void
  leave(call: LimitedCall): void
}

interface Waiting {
  readonly order: number
  readonly since: number
  /** When it is to ask again. */
  readonly until: number
  readonly needs: readonly Need[]
}

/** Whoever is later than this lets others pass, and is forgotten after the longer time. */
const LATE_MS = 1_000
const LOST_MS = 60_000

export function createWaitQueue(now: () => number): WaitQueue {
  const waitQueue = new Map<LimitedCall, Waiting>()
  let nextOrder = 0

  /** Those who will not come back: a canceled call need not say so. */
  function forgetLost(at: number): void {
    for (const [call, { until }] of waitQueue) {
      if (call.cancelReason !== undefined || until + LOST_MS < at) waitQueue.delete(call)
    }
  }

  return {
    before(call) {
      if (waitQueue.size === 0) return undefined
      const at = now()
      forgetLost(at)
      const own = waitQueue.get(call)?.order ?? nextOrder
      return ({ key }) => {
        let count = 0
        for (const { order, until, needs } of waitQueue.values())
          if (order < own && until + LATE_MS >= at && needs.some((need) => need.key === key)) count++
        return count
      }
    },
    since: (call) => waitQueue.get(call)?.since,
    stay(call, needs, waitMs) {
      const at = now()
      const { order, since } = waitQueue.get(call) ?? { order: nextOrder++, since: at }
      waitQueue.set(call, { order, since, until: at + waitMs, needs })
    },
    leave: (call) => void waitQueue.delete(call),
  }
}
