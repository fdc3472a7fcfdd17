export interface RateLimiter {
  /** Takes `count` tokens (default: 1) and returns 0, or takes none and returns how many seconds to wait. */
  take(key: string, perMinute: number, now: number, count?: number): number
  /** How many seconds to wait until there is a token. */
  wait(key: string, perMinute: number, now: number): number
  /** Drops buckets that are full again. */
  sweep(now: number): void
}

interface Bucket {
  left: number
  at: number
  perMinute: number
}

/** Token buckets with the tokens of one minute. */
export function createRateLimiter(): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return {
    take(key, perMinute, now, count = 1) {
      const bucket = buckets.get(key) ?? { left: perMinute, at: now, perMinute }
      buckets.set(key, bucket)
      bucket.perMinute = perMinute
      bucket.left = refilled(bucket, now)
      bucket.at = now
      if (bucket.left < count) return secondsUntil(count - bucket.left, perMinute)
      bucket.left -= count
      return 0
    },
    wait(key, perMinute, now) {
      const bucket = buckets.get(key)
      const left = bucket === undefined ? perMinute : refilled(bucket, now)
      return left >= 1 ? 0 : secondsUntil(1 - left, perMinute)
    },
    sweep(now) {
      for (const [key, bucket] of buckets) if (refilled(bucket, now) >= bucket.perMinute) buckets.delete(key)
    },
  }
}

function secondsUntil(missing: number, perMinute: number): number {
  return Math.max(1, Math.ceil((missing * 60) / perMinute))
}

function refilled({ left, at, perMinute }: Bucket, now: number): number {
  return Math.min(perMinute, left + ((now - at) * perMinute) / 60_000)
}
