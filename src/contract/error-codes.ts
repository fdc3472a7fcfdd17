/** Every `error_code` that Toolcrib writes. Tools may use their own in a `toolFailure`; there are no others. */
import { approvalCodes, type ApprovalCode } from './approval-codes.js'
import { errorTable } from './error-table.js'
import { errorClasses, type ErrorClass } from './unions.js'

export interface ErrorCodeRow {
  /** The class, or the possible classes if it depends on how far the call got. */
  errorClasses: readonly ErrorClass[]
  meaning: string
}

/** More specific than the class. */
const finerCodes = {
  'toolcrib.ref_unknown': {
    errorClasses: ['invalid_arguments', 'dependency_unavailable'],
    meaning: 'A ref in the arguments is unknown.',
  },
  'toolcrib.ref_denied': {
    errorClasses: ['permission_denied', 'dependency_unavailable'],
    meaning: 'A ref in the arguments exists, but this caller may not read it.',
  },
  'toolcrib.ref_expired': {
    errorClasses: ['invalid_arguments', 'dependency_unavailable'],
    meaning: 'The data of a ref has expired; its record remains.',
  },
  'toolcrib.ref_missing': {
    errorClasses: ['invalid_arguments', 'dependency_unavailable'],
    meaning: 'The bytes of a ref are gone; the record remains.',
  },
  'toolcrib.ref_too_large': {
    errorClasses: ['invalid_arguments', 'dependency_unavailable'],
    meaning: 'The data of a ref is too large to be passed as a value.',
  },
  'toolcrib.ref_not_allowed': {
    errorClasses: ['invalid_arguments', 'dependency_unavailable'],
    meaning:
      'A ref was given where rules judge the exact text: in a command, a URL, or an object that contains one.',
  },
  'toolcrib.ref_read_only': {
    errorClasses: ['invalid_arguments'],
    meaning: 'A ref was given where a tool writes; stored data does not change.',
  },
  'toolcrib.artifact_missing': {
    errorClasses: ['partial_failure'],
    meaning: 'The tool did not deliver the artifacts that its contract promises.',
  },
  'toolcrib.artifact_not_kept': {
    errorClasses: ['partial_failure'],
    meaning: 'An artifact of the tool could not be stored.',
  },
  'toolcrib.ref_unreadable': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The store could not read the data of a ref.',
  },
  'toolcrib.tool_said_error': {
    errorClasses: ['execution_failed'],
    meaning: 'The tool answered that it failed; its own message is in the result.',
  },
  'toolcrib.answer_too_large': {
    errorClasses: ['execution_failed'],
    meaning: 'The server of the tool ran the call, and its answer is larger than the limit.',
  },
  'toolcrib.server_lost': {
    errorClasses: ['dependency_unavailable', 'execution_failed'],
    meaning: 'The connection to the server of the tool was lost before it answered.',
  },
  'toolcrib.server_unavailable': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The server of the tool cannot be reached now; nothing was sent.',
  },
  'toolcrib.code_failed': {
    errorClasses: ['execution_failed'],
    meaning: 'The code of a call is not valid or threw an error; its message is in the result.',
  },
  'toolcrib.code_over_limit': {
    errorClasses: ['execution_failed', 'timeout'],
    meaning: 'The code of a call needed more time or memory than it may use.',
  },
  'toolcrib.api_error': {
    errorClasses: ['execution_failed', 'rate_limited', 'dependency_unavailable', 'timeout'],
    meaning: 'The API answered with an error status; the status and its own message are in the result.',
  },
  'toolcrib.api_refused': {
    errorClasses: ['execution_failed', 'credential_missing'],
    meaning: 'The API refused this request; the status and its own message are in the result.',
  },
  'toolcrib.database_error': {
    errorClasses: ['execution_failed', 'rate_limited', 'setup_required'],
    meaning: 'The database answered with an error; its own code and message are in the result.',
  },
  'toolcrib.no_row': {
    errorClasses: ['execution_failed'],
    meaning: 'The query found no row, and the output of the tool needs one.',
  },
  'toolcrib.server_refused': {
    errorClasses: ['execution_failed', 'invalid_arguments', 'credential_missing', 'capability_gap'],
    meaning: 'The server of the tool answered the call with a protocol error.',
  },
  'toolcrib.request_invalid': {
    errorClasses: ['execution_failed'],
    meaning: 'The arguments cannot be written as a request to the API of the tool; nothing was sent.',
  },
  'toolcrib.file_refused': {
    errorClasses: ['execution_failed'],
    meaning:
      'A file tool cannot do this with the file, for example because it has changed; nothing was changed.',
  },
  'toolcrib.tool_changed': {
    errorClasses: ['setup_required', 'blocked_tool'],
    meaning: 'The server has changed the tool since it was accepted; the change is not accepted yet.',
  },
  'toolcrib.ambiguous_name': {
    errorClasses: ['unknown_tool'],
    meaning: 'Several tools have that name; the full name is needed.',
  },
  'toolcrib.tool_retired': {
    errorClasses: ['blocked_tool'],
    meaning: 'The tool existed and has been removed.',
  },
  'toolcrib.tool_choice_none': {
    errorClasses: ['blocked_tool'],
    meaning: 'The surface shows its tools and allows no calls.',
  },
  'toolcrib.runtime_selects': {
    errorClasses: ['blocked_tool'],
    meaning: 'On this surface the runtime chooses the tools, not the model.',
  },
  'toolcrib.input_not_json': {
    errorClasses: ['schema_validation_failed'],
    meaning: 'The arguments are not JSON, or contain a value that JSON cannot represent.',
  },
  'toolcrib.internal_field': {
    errorClasses: ['schema_validation_failed'],
    meaning: 'The arguments contain a field that only the runtime may set.',
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
    meaning: 'Two hooks rewrite the same call, and their order is not set.',
  },
  'toolcrib.too_many_changes': {
    errorClasses: ['input_mutation_failed'],
    meaning: 'The input was replaced too many times.',
  },
  'toolcrib.too_many_at_once': {
    errorClasses: ['rate_limited'],
    meaning: 'The maximum number of such calls is already running.',
  },
  'toolcrib.budget_spent': {
    errorClasses: ['rate_limited'],
    meaning: 'The run has made the maximum number of such calls.',
  },
  'toolcrib.circuit_open': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The source of the tool failed several times in a row and is not called for a while.',
  },
  'toolcrib.pending_provider': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The source of the tool is still connecting.',
  },
  'toolcrib.tool_gone': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was approved, but its tool no longer exists.',
  },
  'toolcrib.owner_changed': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'Another process has taken over the call and closed it.',
  },
  'toolcrib.cancel_failed': {
    errorClasses: ['canceled', 'sibling_canceled', 'streaming_fallback_discarded'],
    meaning: 'The call was abandoned: its tool was told to stop, and did not or did not confirm it.',
  },
  'toolcrib.owner_lost': {
    errorClasses: ['canceled', 'execution_failed', 'dependency_unavailable'],
    meaning: 'The process that ran the call ended before the result was recorded.',
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
    meaning: 'The tool ran, but its output does not match its own schema.',
  },
  'toolcrib.result_withheld': {
    errorClasses: ['hook_blocked'],
    meaning: 'The tool ran, and a hook withholds its result.',
  },
  'toolcrib.store_not_a_database': {
    errorClasses: ['dependency_unavailable'],
    meaning: 'The call was not made: the file of the store is not a database.',
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

/** The code of the class, used if no more specific code applies. */
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
