import { persistenceStrategies, type PersistenceStrategy } from '../contract/unions.js'
import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'

/** How much of a result is inline, and what happens to the rest. */
export interface ResultPolicy {
  /** Longer results become a preview with a ref to the whole. */
  maxInlineChars?: number
  maxInlineLines?: number
  /** Counted with the tokenizer `o200k_base`. */
  maxInlineTokens?: number
  /** The length of a preview, including its footer. */
  previewChars?: number
  /**
   * Default: `preview_and_persist`. `inline`: whole, whatever its size. `ref_only`: only a ref. `drop_with_reason`:
   * above the limit a preview, and the rest is dropped. `never_persist`: returned to the caller; the log records only
   * that there was a result. `redact`: no consumer gets it.
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

/** Throws one sentence about an invalid policy. */
export function checkResultPolicy(where: string, policy: ResultPolicy): void {
  checkOptions(where, policy, RESULT_POLICY_OPTIONS)
  checkStrategy(where, policy.persistence)
}

export function checkStrategy(where: string, strategy: unknown): void {
  if (strategy !== undefined && !(persistenceStrategies as readonly unknown[]).includes(strategy))
    throw new TypeError(`${where}: "persistence" must be one of ${persistenceStrategies.join(', ')}.`)
}
