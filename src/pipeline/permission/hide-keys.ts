import type { CallFacts } from '../../catalog/facts.js'
import type { CallRun } from '../call-run.js'

/**
 * What a call touches is recorded, and told to other processes as locks. Where a secret is part of it, a keyed digest
 * stands in its place: the same secret still gives the same key.
 */
export function hideKeys(facts: CallFacts, { secrets, ports }: CallRun): CallFacts {
  const { resource_keys: keys, resource_locks: locks } = facts
  if (!keys && !locks) return facts
  let isHidden = false
  const hide = <Named extends { readonly key: string }>(named: Named): Named => {
    const key = ports.keyedRedactor.text(named.key, secrets)
    if (key === named.key) return named
    isHidden = true
    return { ...named, key }
  }
  const hidden = {
    ...facts,
    ...(keys && { resource_keys: keys.map(hide) }),
    ...(locks && { resource_locks: locks.map(hide) }),
  }
  // The very same facts are known again by whoever keeps what was made of them.
  return isHidden ? hidden : facts
}
