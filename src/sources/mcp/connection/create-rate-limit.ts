/** A rate limit: a burst, then a number per second. */
export interface RateLimit {
  /** Whether one more is let through. Dropped ones are counted. */
  take(): boolean
  /** How many were dropped since the last call of this. */
  takeDropped(): number
}

export function createRateLimit({
  burst,
  perSecond,
  now = () => performance.now(),
}: {
  readonly burst: number
  readonly perSecond: number
  readonly now?: () => number
}): RateLimit {
  let room = burst
  let at = now()
  let leftOut = 0
  return {
    take() {
      const time = now()
      room = Math.min(burst, room + ((time - at) / 1000) * perSecond)
      at = time
      if (room < 1) {
        leftOut++
        return false
      }
      room--
      return true
    },
    takeDropped() {
      const count = leftOut
      leftOut = 0
      return count
    },
  }
}
