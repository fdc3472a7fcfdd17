import type { CallFacts } from '../../catalog/facts.js'
import type { JudgedRun } from './judge-ports.js'

/**
 * Resource keys are recorded, and other processes see them as locks. A keyed digest replaces a secret in a key: the
 * same secret still gives the same key.
 */
export function hideKeys(facts: CallFacts, { secrets, ports }: JudgedRun): CallFacts {
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
  // The same object, because caches compare facts by identity.
  return isHidden ? hidden : facts
}
