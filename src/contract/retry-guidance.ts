/** What a caller should know before it repeats a call. In every error as `toolcrib.retry`. */
import { errorTable } from './error-table.js'
import type { ErrorClass, Recoverability } from './unions.js'

export interface RetryGuidance {
  /** The same call may be sent again unchanged: it repeats no effect. */
  safe: boolean
  /** With these arguments it would end the same way again, unless the policy is changed. */
  change_arguments: boolean
  /** The tool or its schema has to be looked up first. */
  discover_first: boolean
  /** A reviewer would be asked again: an approval is used up by its call. */
  approval_again: boolean
  /** The call itself was valid; another call of its batch failed. */
  caused_by_sibling: boolean
  /** What to do, in the words of the tool's author. */
  advice?: string
}

/** What is known beyond the class of the error. */
export interface KnownOfRetry {
  retrySafe?: boolean | undefined
  recoverability?: Recoverability | undefined
  approvalAgain?: boolean | undefined
  advice?: string | undefined
}

export function retryGuidance(errorClass: ErrorClass, known: KnownOfRetry = {}): RetryGuidance {
  const row = errorTable[errorClass]
  const helps = known.recoverability ?? row.recoverability
  return {
    safe: known.retrySafe ?? row.retrySafe,
    // Arguments cannot bring back what the surface withholds.
    change_arguments: isAboutArguments(helps) && errorClass !== 'blocked_tool',
    discover_first: helps === 'discover_first',
    approval_again: known.approvalAgain ?? errorClass === 'approval_rejected',
    caused_by_sibling: errorClass === 'sibling_canceled',
    ...(known.advice !== undefined && { advice: known.advice }),
  }
}

function isAboutArguments(helps: Recoverability): boolean {
  return helps === 'change_arguments' || helps === 'change_arguments_or_policy'
}
