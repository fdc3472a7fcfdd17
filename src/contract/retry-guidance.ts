/** What whoever made a call should know before they make it again. Stands in every error as `toolcrib.retry`. */
import { errorTable } from './error-table.js'
import type { ErrorClass, Recoverability } from './unions.js'

export interface RetryGuidance {
  /** The same call may be sent again unchanged: it repeats no effect. */
  safe: boolean
  /** Sent again with these arguments it would end the same way, unless the policy is changed. */
  change_arguments: boolean
  /** The tool or its schema has to be looked up before. */
  discover_first: boolean
  /** Somebody would be asked again: an approval is used up by the call that it was given for. */
  approval_again: boolean
  /** Nothing was wrong with the call itself; one beside it failed. */
  caused_by_sibling: boolean
}

/** What is known beyond the class of the error. */
export interface KnownOfRetry {
  retrySafe?: boolean | undefined
  recoverability?: Recoverability | undefined
  approvalAgain?: boolean | undefined
}

export function retryGuidance(errorClass: ErrorClass, known: KnownOfRetry = {}): RetryGuidance {
  const row = errorTable[errorClass]
  const helps = known.recoverability ?? row.recoverability
  return {
    safe: known.retrySafe ?? row.retrySafe,
    // What the surface withholds, no arguments bring back.
    change_arguments: isAboutArguments(helps) && errorClass !== 'blocked_tool',
    discover_first: helps === 'discover_first',
    approval_again: known.approvalAgain ?? errorClass === 'approval_rejected',
    caused_by_sibling: errorClass === 'sibling_canceled',
  }
}

function isAboutArguments(helps: Recoverability): boolean {
  return helps === 'change_arguments' || helps === 'change_arguments_or_policy'
}
