/**
 * How a call ends for each class of error. These are the answers when only the class is known and they lean to caution:
 * a runtime that knows more (the executor never started, the tool is idempotent) may say more in the error itself.
 */
import type { TerminalStatus } from './status-table.js'
import type { ErrorClass, Recoverability, ResultStatus } from './unions.js'

export interface ErrorRow {
  invocationStatus: TerminalStatus
  resultStatus: ResultStatus
  recoverability: Recoverability
  /** The same call may be sent again unchanged: it repeats no effect, and may well end differently. */
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
    meaning: 'The tool exists, but this surface does not hand it out.',
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
    meaning: 'The arguments do not fit the schema.',
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
    meaning: 'The input could not be changed, or the tool does not let whoever tried change it.',
  },
  setup_required: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'set_up_first',
    retrySafe: false,
    meaning: 'The tool has to be set up before it can run.',
  },
  credential_missing: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'set_up_first',
    retrySafe: false,
    meaning: 'A credential that the tool needs is not there.',
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
    meaning: 'A hook that has to agree broke or did not answer in time; nothing ran.',
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
    meaning: 'Whoever was asked said no, or there was nobody to ask.',
  },
  rate_limited: {
    invocationStatus: 'blocked',
    resultStatus: 'failed',
    recoverability: 'retry_later',
    retrySafe: true,
    meaning: 'Too many calls in too short a time; this one was not let through.',
  },
  execution_failed: {
    invocationStatus: 'failed',
    resultStatus: 'failed',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The tool ran and failed; what it did until then may remain.',
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
    meaning: 'The time allowed ran out; the work may have been done all the same.',
  },
  canceled: {
    invocationStatus: 'canceled',
    resultStatus: 'canceled',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'Somebody canceled the call; what it did until then may remain.',
  },
  sibling_canceled: {
    invocationStatus: 'canceled',
    resultStatus: 'synthetic_error',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'Another call of the same batch failed and took this one with it.',
  },
  streaming_fallback_discarded: {
    invocationStatus: 'canceled',
    resultStatus: 'discarded',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The answer of the model was thrown away and asked for anew, and this call with it.',
  },
  result_mapping_failed: {
    invocationStatus: 'failed',
    resultStatus: 'failed',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The tool ran, but what it gave could not be turned into a result.',
  },
  post_hook_failed: {
    invocationStatus: 'failed',
    resultStatus: 'failed',
    recoverability: 'inspect_first',
    retrySafe: false,
    meaning: 'The tool ran, but a hook that has to see the result broke.',
  },
  result_too_large: {
    invocationStatus: 'failed',
    resultStatus: 'too_large',
    recoverability: 'change_arguments',
    retrySafe: false,
    meaning: 'The tool ran, but the result is larger than may be kept or shown.',
  },
  result_redacted: {
    invocationStatus: 'failed',
    resultStatus: 'redacted',
    recoverability: 'not_recoverable',
    retrySafe: false,
    meaning: 'The tool ran, but nothing of the result may be shown.',
  },
}
