import type { LimitedCall } from '../rate-limits.js'
import type { Need } from './need.js'

/** The waiting calls of this process: the first to wait is the first to be admitted. */
export interface WaitQueue {
  /** How many calls wait for the same need before this call; `undefined` if no call waits. */
  before(call: LimitedCall): ((need: Need) => number) | undefined
  /** When the call started to wait; `undefined` if it does not wait. */
  since(call: LimitedCall): number | undefined
  /** Keeps the position of the call, or appends it. */
  stay(call: LimitedCall, needs: readonly Need[], waitMs: number): void
  leave(call: LimitedCall): void
}

interface Waiting {
  readonly order: number
  readonly since: number
  /** When it asks again. */
  readonly until: number
  readonly needs: readonly Need[]
}

/** A call that asks later than this loses its priority; after the longer time it is removed. */
const LATE_MS = 1_000
const LOST_MS = 60_000

export function createWaitQueue(now: () => number): WaitQueue {
  const waitQueue = new Map<LimitedCall, Waiting>()
  let nextOrder = 0

  /** Removes calls that will not ask again: a canceled call need not call `leave`. */
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
