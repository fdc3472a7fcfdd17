import { versionedRef } from '../../platform/json/versioned-ref.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'

/** How much of a result is inline, and what happens to the rest. */
export interface PersistencePolicy {
  strategy: string
  max_inline_chars?: number | undefined
  max_inline_lines?: number | undefined
  max_inline_tokens?: number | undefined
  preview_chars?: number | undefined
}

export function persistencePolicyRef(policy: PersistencePolicy): string {
  return versionedRef(`persistence_policy:${policy.strategy}`, withoutUndefined({ ...policy }))
}
