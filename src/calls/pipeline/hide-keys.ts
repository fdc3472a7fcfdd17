import type { CallFacts } from '../../supply/catalog/facts.js'
import type { CallRun } from './call-run.js'

/**
 * What a call touches is recorded, and told to other processes as locks. Where a secret is part of it, a keyed digest
 * stands in its place: the same secret still gives the same key.
 */
export function hideKeys(facts: CallFacts, { secrets, world }: CallRun): CallFacts {
  const { resource_keys: keys, resource_locks: locks } = facts
  if (secrets.length === 0 || (!keys && !locks)) return facts
  const hide = <Named extends { readonly key: string }>(named: Named): Named => {
    let { key } = named
    for (const secret of secrets) {
      if (secret !== '' && key.includes(secret)) key = key.replaceAll(secret, world.hideSecret(secret))
    }
    return key === named.key ? named : { ...named, key }
  }
  return {
    ...facts,
    ...(keys && { resource_keys: keys.map(hide) }),
    ...(locks && { resource_locks: locks.map(hide) }),
  }
}
