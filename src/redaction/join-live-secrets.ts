import type { LiveSecrets } from './live-secrets.js'

/** The own secrets and those of another owner, which may change at any time. New secrets are added to the own ones. */
export function joinLiveSecrets(own: LiveSecrets, others: LiveSecrets): LiveSecrets {
  let seen: { own: readonly string[]; others: readonly string[] } | undefined
  let list: readonly string[] = []
  return {
    add: own.add,
    get list() {
      // The same list as long as nothing changes: its forms are computed once.
      if (seen?.own !== own.list || seen.others !== others.list) {
        seen = { own: own.list, others: others.list }
        list = [...new Set([...seen.own, ...seen.others])].sort((a, b) => b.length - a.length)
      }
      return list
    },
  }
}
