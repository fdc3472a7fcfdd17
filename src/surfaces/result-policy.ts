import { persistenceStrategies, type PersistenceStrategy } from '../contract/unions.js'
import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'

/** How much of a result stands in it, and what becomes of the rest. */
export interface ResultPolicy {
  /** Results that are longer become a preview with a ref to the whole. */
  maxInlineChars?: number
  maxInlineLines?: number
  /** As the tokenizer `o200k_base` counts them. */
  maxInlineTokens?: number
  /** The length of a preview, with what it says of itself. */
  previewChars?: number
  /**
   * `preview_and_persist`, unless said. `inline`: whole, whatever its size. `ref_only`: never more than a ref.
   * `drop_with_reason`: over the limit a preview, and the rest is gone. `never_persist`: given to the caller, and the
   * log keeps no more than that it was. `redact`: nobody gets it.
   */
  persistence?: PersistenceStrategy
}

export const RESULT_POLICY_OPTIONS = {
  maxInlineChars: 'count',
  maxInlineLines: 'count',
  maxInlineTokens: 'count',
  previewChars: 'count',
  persistence: 'text',
} as const satisfies Record<keyof ResultPolicy, OptionKind>

/** Throws one sentence about what could not be meant like that. */
export function checkResultPolicy(where: string, policy: ResultPolicy): void {
  checkOptions(where, policy, RESULT_POLICY_OPTIONS)
  checkStrategy(where, policy.persistence)
}

export function checkStrategy(where: string, strategy: unknown): void {
  if (strategy !== undefined && !(persistenceStrategies as readonly unknown[]).includes(strategy))
    throw new TypeError(`${where}: "persistence" must be one of ${persistenceStrategies.join(', ')}.`)
}
