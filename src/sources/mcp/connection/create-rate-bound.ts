/** How many of a kind may come at once, and how many a second from then on. */
export interface RateBound {
  /** Whether one more is let through. Those that are not are counted. */
  take(): boolean
  /** How many were left out since it was last asked. */
  takeLeftOut(): number
}

export function createRateBound({
  burst,
  perSecond,
  now = () => performance.now(),
}: {
  readonly burst: number
  readonly perSecond: number
  readonly now?: () => number
}): RateBound {
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
    takeLeftOut() {
      const count = leftOut
      leftOut = 0
      return count
    },
  }
}
