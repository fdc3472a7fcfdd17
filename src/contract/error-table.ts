/**
 * How a call ends for each class of error. These are the answers when only the class is known, and they are cautious: a
 * runtime that knows more (the executor never started, the tool is idempotent) may state more in the error itself.
 */
import type { TerminalStatus } from './status-table.js'
import type { ErrorClass, Recoverability, ResultStatus } from './unions.js'

export interface ErrorRow {
  invocationStatus: TerminalStatus
  resultStatus: ResultStatus
  recoverability: Recoverability
  /** The same call may be sent again unchanged: it repeats no effect, and may end differently. */
  retrySafe: boolean
  meaning: string
}

export const errorTable: Record<ErrorClass, ErrorRow> = {
  unknown_tool: {
    invocationStatus: 'failed',
    resultStatus: 'failed',
    recoverability: 'discover_first',
    retrySafe: false,
    meaning: 'No tool of this surface has that name.',
  },
  blocked_tool: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'change_arguments_or_policy',
    retrySafe: false,
    meaning: 'The tool exists, but it is not available on this surface.',
  },
  schema_not_loaded: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'discover_first',
    retrySafe: false,
    meaning: 'The tool is deferred and the caller has not seen its schema: search for it first.',
  },
  schema_validation_failed: {
    invocationStatus: 'schema_parse_failed',
    resultStatus: 'failed',
    recoverability: 'change_arguments',
    retrySafe: false,
    meaning: 'The arguments do not match the schema.',
  },
  invalid_arguments: {
    invocationStatus: 'validation_failed',
    resultStatus: 'failed',
    recoverability: 'change_arguments',
    retrySafe: false,
    meaning: 'The arguments have the right shape, but the tool refuses these values.',
  },
  sandbox_violation: {
    invocationStatus: 'validation_failed',
    resultStatus: 'failed',
    recoverability: 'change_arguments',
    retrySafe: false,
    meaning: 'The call would have left the sandbox.',
  },
  input_mutation_failed: {
    invocationStatus: 'validation_failed',
    resultStatus: 'failed',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The input could not be replaced, or the tool does not allow this source to replace it.',
  },
  setup_required: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'set_up_first',
    retrySafe: false,
    meaning: 'The tool must be set up before it can run.',
  },
  credential_missing: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'set_up_first',
    retrySafe: false,
    meaning: 'A credential that the tool needs is missing.',
  },
  capability_gap: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'change_arguments',
    retrySafe: false,
    meaning: 'The call needs something that the tool, its executor or the model cannot do.',
  },
  hook_blocked: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'change_arguments_or_policy',
    retrySafe: false,
    meaning: 'A hook stopped the call.',
  },
  hook_failed: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'retry',
    retrySafe: true,
    meaning: 'A hook that must agree failed or timed out; nothing ran.',
  },
  permission_denied: {
    invocationStatus: 'denied',
    resultStatus: 'denied',
    recoverability: 'change_arguments_or_policy',
    retrySafe: false,
    meaning: 'A rule forbids this call.',
  },
  policy_blocked: {
    invocationStatus: 'denied',
    resultStatus: 'denied',
    recoverability: 'change_arguments_or_policy',
    retrySafe: false,
    meaning: 'A policy above the rules forbids this call.',
  },
  approval_rejected: {
    invocationStatus: 'denied',
    resultStatus: 'rejected',
    recoverability: 'ask_again',
    retrySafe: false,
    meaning: 'The approver or reviewer denied the call, or there was none.',
  },
  rate_limited: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'retry_later',
    retrySafe: true,
    meaning: 'Too many calls in too short a time; this call was refused.',
  },
  execution_failed: {
    invocationStatus: 'failed',
    resultStatus: 'failed',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The tool ran and failed; its effects until then may remain.',
  },
  partial_failure: {
    invocationStatus: 'failed',
    resultStatus: 'partial_succeeded',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'A part of the work was done, the rest failed.',
  },
  dependency_unavailable: {
    invocationStatus: 'failed',
    resultStatus: 'failed',
    recoverability: 'retry_later',
    // The request may have arrived although no answer came back.
    retrySafe: false,
    meaning: 'A server, database or process that the tool needs could not be reached.',
  },
  timeout: {
    invocationStatus: 'timed_out',
    resultStatus: 'timed_out',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The call timed out; the work may have been done.',
  },
  canceled: {
    invocationStatus: 'canceled',
    resultStatus: 'canceled',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The call was canceled; its effects until then may remain.',
  },
  sibling_canceled: {
    invocationStatus: 'canceled',
    resultStatus: 'synthetic_error',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'Another call of the same batch failed, so this call was canceled.',
  },
  streaming_fallback_discarded: {
    invocationStatus: 'canceled',
    resultStatus: 'discarded',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The answer of the model was discarded and requested again, and this call was canceled with it.',
  },
  result_mapping_failed: {
    invocationStatus: 'failed',
    resultStatus: 'failed',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The tool ran, but its output could not be mapped to a result.',
  },
  post_hook_failed: {
    invocationStatus: 'failed',
    resultStatus: 'failed',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The tool ran, but a hook that must see the result failed.',
  },
  result_too_large: {
    invocationStatus: 'failed',
    resultStatus: 'too_large',
    recoverability: 'change_arguments',
    retrySafe: false,
    meaning: 'The tool ran, but the result is too large to be stored or shown.',
  },
  result_redacted: {
    invocationStatus: 'failed',
    resultStatus: 'redacted',
    recoverability: 'not_recoverable',
    retrySafe: false,
    meaning: 'The tool ran, but the result may not be shown.',
  },
}
