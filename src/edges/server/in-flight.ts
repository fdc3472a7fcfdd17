/** How many requests of each caller are on their way. */
export interface InFlight {
  /** False where the caller has as many as it may; nothing is counted then. */
  begin(key: string): boolean
  end(key: string): void
}

export function createInFlight(max: number): InFlight {
  const counts = new Map<string, number>()
  return {
    begin(key) {
      const count = counts.get(key) ?? 0
      if (count >= max) return false
      counts.set(key, count + 1)
      return true
    },
    end(key) {
      const count = counts.get(key)! - 1
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}
