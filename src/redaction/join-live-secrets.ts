import type { LiveSecrets } from './live-secrets.js'

/** The own ones and those of somebody else, who goes on to put in and take out. What is added here is added to the own. */
export function joinLiveSecrets(own: LiveSecrets, others: LiveSecrets): LiveSecrets {
  let seen: { own: readonly string[]; others: readonly string[] } | undefined
  let list: readonly string[] = []
  return {
    add: own.add,
    get list() {
      // The same list as long as nothing changes: whoever uses it works out its forms once.
      if (seen?.own !== own.list || seen.others !== others.list) {
        seen = { own: own.list, others: others.list }
        list = [...new Set([...seen.own, ...seen.others])].sort((a, b) => b.length - a.length)
      }
      return list
    },
  }
}
