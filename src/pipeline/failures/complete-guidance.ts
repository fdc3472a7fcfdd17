import type { ToolError } from '../../contract/objects/tool-error.js'
import { guidanceOf } from '../../contract/describe-error.js'
import type { RetryGuidance } from '../../contract/retry-guidance.js'
import type { ErrorClass } from '../../contract/unions.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { mayRepeat } from '../execute/may-repeat.js'

/** Errors that do not rule out the same call: if repeating does no harm, it may be sent again. */
const SAYS_NOTHING_AGAINST_IT: ReadonlySet<ErrorClass> = new Set([
  'dependency_unavailable',
  'rate_limited',
  'timeout',
  'execution_failed',
  'canceled',
  'sibling_canceled',
  'streaming_fallback_discarded',
])

/** Adds the retry guidance that only the whole call can give. */
export function completeGuidance(call: CallState, run: CallRun, error: ToolError): ToolError {
  const known: Partial<RetryGuidance> = {
    ...(isHarmless(error) && mayRepeat(call, run) && { safe: true }),
    ...(isAskedAgain(call, run) && { approval_again: true }),
  }
  return { ...error, toolcrib: { ...error.toolcrib, retry: { ...guidanceOf(error), ...known } } }
}

function isHarmless({ error_class: errorClass, error_code: code, recoverability }: ToolError): boolean {
  // A tool that may still be running would run twice.
  if (code === 'toolcrib.cancel_failed') return false
  return SAYS_NOTHING_AGAINST_IT.has(errorClass) && recoverability !== 'not_recoverable'
}

/** An approval is good for one call. */
function isAskedAgain({ isApproved, isApprovalLasting }: CallState, { approval }: CallRun): boolean {
  return approval !== undefined || (isApproved && !isApprovalLasting)
}
