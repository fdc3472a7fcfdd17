import { SHORTEST_SECRET } from './exact-secrets.js'

/**
 * The credentials that this process uses at the moment. The user of a credential adds it, and removes it afterwards.
 */
export interface LiveSecrets {
  /**
   * Returns a function that removes it again. Secrets under four characters are ignored: they would be found in any
   * text.
   */
  add(secret: string): () => void
  /** Longest first: one may contain another. The same list as long as nothing changes. */
  readonly list: readonly string[]
}

export function createLiveSecrets(): LiveSecrets {
  const uses = new Map<string, number>()

  function count(secret: string, change: 1 | -1): void {
    const now = (uses.get(secret) ?? 0) + change
    if (now > 0) uses.set(secret, now)
    else uses.delete(secret)
    if (now === 0 || (now === 1 && change === 1))
      live.list = [...uses.keys()].sort((a, b) => b.length - a.length)
  }

  // A plain field instead of an accessor: every call reads it several times.
  const live: LiveSecrets & { list: readonly string[] } = {
    list: [],
    add(secret) {
      if (secret.length < SHORTEST_SECRET) return () => {}
      count(secret, 1)
      let isIn = true
      return () => {
        if (isIn) count(secret, -1)
        isIn = false
      }
    },
  }
  return live
}
