/** Every `error_code` that we write ourselves. Tools may bring their own in a `toolFailure`; nothing else is added. */
import { approvalCodes, type ApprovalCode } from './approval-codes.js'
import { errorTable } from './error-table.js'
import { errorClasses, type ErrorClass } from './unions.js'

export interface ErrorCodeRow {
  /** The class, or those of which it depends on how far the call had come. */
  errorClasses: readonly ErrorClass[]
  meaning: string
}

/** Finer than the class. */
const finerCodes = {
  'toolcrib.ref_unknown': {
    errorClasses: ['invalid_arguments', 'dependency_unavailable'],
    meaning: 'A ref among the arguments leads nowhere.',
  },
  'toolcrib.ref_denied': {
    errorClasses: ['permission_denied', 'dependency_unavailable'],
    meaning: 'A ref among the arguments is there, and this caller may not read it.',
  },
  'toolcrib.ref_expired': {
    errorClasses: ['invalid_arguments', 'dependency_unavailable'],
    meaning: 'The time of what a ref stands for is over; its record is left.',
  },
  'toolcrib.ref_missing': {
    errorClasses: ['invalid_arguments', 'dependency_unavailable'],
    meaning: 'The bytes that a ref stands for are gone; its record is left.',
  },
  'toolcrib.ref_too_large': {
    errorClasses: ['invalid_arguments', 'dependency_unavailable'],
    meaning: 'What a ref stands for is too large to be given as a value.',
  },
  'toolcrib.ref_not_allowed': {
    errorClasses: ['invalid_arguments', 'dependency_unavailable'],
    meaning:
      'A ref was given where rules judge the very words: in a command, a URL, or an object that holds one.',
  },
  'toolcrib.ref_read_only': {
    errorClasses: ['invalid_arguments'],
    meaning: 'A ref was given where a tool writes; what is kept does not change.',
  },
  'toolcrib.artifact_missing': {
    errorClasses: ['partial_failure'],
    meaning: 'The tool did not deliver the artifacts that its contract promises.',
  },
  'toolcrib.artifact_not_kept': {
    errorClasses: ['partial_failure'],
    meaning: 'What the tool delivered could not be kept.',
  },
  'toolcrib.ref_unreadable': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The store could not give what a ref stands for.',
  },
  'toolcrib.tool_said_error': {
    errorClasses: ['execution_failed'],
    meaning: 'The tool answered that it failed; its own words are in the result.',
  },
  'toolcrib.answer_too_large': {
    errorClasses: ['execution_failed'],
    meaning: 'The server behind the tool ran the call and answered with more than may be read.',
  },
  'toolcrib.server_lost': {
    errorClasses: ['dependency_unavailable', 'execution_failed'],
    meaning: 'The connection to the server behind the tool was lost before it answered.',
  },
  'toolcrib.server_unavailable': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The server behind the tool cannot be reached now; nothing was sent.',
  },
  'toolcrib.server_refused': {
    errorClasses: ['execution_failed', 'invalid_arguments', 'credential_missing', 'capability_gap'],
    meaning: 'The server behind the tool answered the call with an error of its protocol.',
  },
  'toolcrib.tool_changed': {
    errorClasses: ['setup_required', 'blocked_tool'],
    meaning: 'The server has changed the tool since it was accepted; nobody has accepted the change yet.',
  },
  'toolcrib.ambiguous_name': {
    errorClasses: ['unknown_tool'],
    meaning: 'Several tools have that name; the full one has to be said.',
  },
  'toolcrib.tool_retired': {
    errorClasses: ['blocked_tool'],
    meaning: 'The tool was here once and has been taken out of use.',
  },
  'toolcrib.tool_choice_none': {
    errorClasses: ['blocked_tool'],
    meaning: 'The surface shows its tools and lets none be called.',
  },
  'toolcrib.runtime_selects': {
    errorClasses: ['blocked_tool'],
    meaning: 'On this surface the runtime chooses the tools, not the model.',
  },
  'toolcrib.input_not_json': {
    errorClasses: ['schema_validation_failed'],
    meaning: 'The arguments are no JSON, or hold something that JSON cannot.',
  },
  'toolcrib.internal_field': {
    errorClasses: ['schema_validation_failed'],
    meaning: 'The arguments name a field that only the runtime fills in.',
  },
  'toolcrib.schema_unusable': {
    errorClasses: ['setup_required'],
    meaning: 'The schema of the tool cannot be read or compiled.',
  },
  'toolcrib.mutation_forbidden': {
    errorClasses: ['input_mutation_failed'],
    meaning: 'The tool does not let this source replace its input.',
  },
  'toolcrib.two_rewrites': {
    errorClasses: ['input_mutation_failed'],
    meaning: 'Two hooks rewrite the same call, and nothing says which comes first.',
  },
  'toolcrib.too_many_changes': {
    errorClasses: ['input_mutation_failed'],
    meaning: 'The input was changed again and again, without an end in sight.',
  },
  'toolcrib.too_many_at_once': {
    errorClasses: ['rate_limited'],
    meaning: 'As many such calls as may run at a time are running.',
  },
  'toolcrib.budget_spent': {
    errorClasses: ['rate_limited'],
    meaning: 'The run has made as many such calls as it may.',
  },
  'toolcrib.circuit_open': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The source of the tool failed several times in a row and is left alone for a while.',
  },
  'toolcrib.pending_provider': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'What runs the tool is still connecting.',
  },
  'toolcrib.tool_gone': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was approved, but its tool is no longer here.',
  },
  'toolcrib.owner_changed': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'Another process has taken over the call and closed it.',
  },
  'toolcrib.cancel_failed': {
    errorClasses: ['canceled', 'sibling_canceled', 'streaming_fallback_discarded'],
    meaning: 'The call was given up: its tool was told to stop, and did not or did not confirm it.',
  },
  'toolcrib.owner_lost': {
    errorClasses: ['canceled', 'execution_failed'],
    meaning: 'The process that had the call ended before its result was recorded.',
  },
  'toolcrib.internal': {
    errorClasses: ['dependency_unavailable', 'execution_failed'],
    meaning: 'A fault of the runtime itself.',
  },
  'toolcrib.exit_code': {
    errorClasses: ['execution_failed'],
    meaning: 'The command of the tool ended with a code that counts as a failure.',
  },
  'toolcrib.output_schema_mismatch': {
    errorClasses: ['result_mapping_failed'],
    meaning: 'The tool ran, but its output does not fit its own schema.',
  },
  'toolcrib.result_withheld': {
    errorClasses: ['hook_blocked'],
    meaning: 'The tool ran, and a hook holds its result back.',
  },
  'toolcrib.store_not_a_database': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was not made: the file of the store is no database.',
  },
  'toolcrib.store_foreign': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was not made: the store belongs to another program.',
  },
  'toolcrib.store_newer': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was not made: the store was written by a newer Toolcrib.',
  },
  'toolcrib.store_full': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was not made: the disk of the store is full.',
  },
  'toolcrib.store_read_only': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was not made: the store cannot be written.',
  },
  'toolcrib.store_unreachable': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was not made: the store cannot be opened.',
  },
  'toolcrib.store_failed': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was not made: the store failed.',
  },
  'toolcrib.store_closed': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was not made: the store is closed.',
  },
} as const satisfies Record<string, ErrorCodeRow>

export type ErrorCode = `toolcrib.${ErrorClass}` | ApprovalCode | keyof typeof finerCodes

/** Where nothing finer is known, the code is that of the class. */
export function codeOfClass(errorClass: ErrorClass): ErrorCode {
  return `toolcrib.${errorClass}`
}

const ofClasses = errorClasses.map((errorClass): [ErrorCode, ErrorCodeRow] => [
  codeOfClass(errorClass),
  { errorClasses: [errorClass], meaning: errorTable[errorClass].meaning },
])

const ofApprovals = Object.entries(approvalCodes).map(
  ([code, { errorClass, meaning }]): [ErrorCode, ErrorCodeRow] => [
    code as ApprovalCode,
    { errorClasses: [errorClass], meaning },
  ],
)

export const errorCodes = Object.fromEntries([
  ...ofClasses,
  ...Object.entries(finerCodes),
  ...ofApprovals,
]) as Record<ErrorCode, ErrorCodeRow>
