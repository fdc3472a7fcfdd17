import { errorTable } from '../../contract/error-table.js'
import { isLegalTransition, type TerminalStatus } from '../../contract/status-table.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { cleanValue } from '../secrets/clean.js'
import { holdsMark } from '../../redaction/holds-mark.js'
import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { describeError } from '../../contract/describe-error.js'
import type { EventClass, InvocationStatus } from '../../contract/unions.js'
import { settleApproval } from '../permission/approvals.js'
import { PlainResult } from '../../storage/plain-result.js'
import { moveTo, record } from '../record.js'
import type { CallRun, StreamState } from '../call-run.js'
import type { PermissionState } from '../permission/permission-state.js'
import { hasOwnResult, type CallState } from '../call-state.js'
import { leaveTurn } from '../schedule/leave-turn.js'
import { deepFreeze } from '../../platform/json/deep-freeze.js'
import { completeGuidance } from '../failures/complete-guidance.js'
import { createResult } from '../map-result/create-result.js'
import { withBlocks } from '../permission/decider-blocks.js'
import { withHookNotes } from '../hooks/hook-notes.js'
import { PROCEED, proceed, type Step } from '../step.js'
import { toolTitle } from '../resolve-tool/tool-title.js'

const EVENT_OF: Record<TerminalStatus, EventClass> = {
  schema_parse_failed: 'tool.invocation.validation_failed',
  validation_failed: 'tool.invocation.validation_failed',
  denied: 'toolcrib.invocation.denied',
  succeeded: 'tool.invocation.succeeded',
  failed: 'tool.invocation.failed',
  canceled: 'tool.invocation.canceled',
  timed_out: 'tool.invocation.timed_out',
  blocked: 'toolcrib.invocation.blocked',
}

export type EndingRun = CallRun & Pick<StreamState, 'isOver'> & Pick<PermissionState, 'approval'>

/** Every call ends here, with one result. */
export function emitTerminal(call: CallState, run: EndingRun): Step {
  const status: TerminalStatus = call.error
    ? errorTable[call.error.error_class].invocationStatus
    : 'succeeded'
  const ended = hasOwnResult(call) ? call.result! : failedResult(call, run, call.error!)
  const result = withNotes(ended, run)
  if (run.slot || run.schedule) leaveTurn(call, run)
  if (isHandedOn(run) && isYielded(run.row.status, status)) {
    run.slot?.takeYield()
    moveTo(run, 'yielded', 'tool.invocation.yielded', undefined, run.at)
  }
  if (run.approval) settleApproval(run, 'withdrawn')
  const { row } = run
  const endedAt = run.at
  row.owner = undefined
  row.resultStatus = result.status
  moveTo(run, status, EVENT_OF[status], terminalData(status, call), endedAt)
  record(run, 'tool.result.created', loggedOf(result, call, run), endedAt)
  run.isOver = true
  run.slot?.ended(result)
  return result === call.result ? PROCEED : proceed({ result })
}

/**
 * Adds the notes of hooks, the blocks of deciders and the number of redactions by rule. The redacted texts are never
 * named.
 */
function withNotes(bare: ToolResult, { hookNotes, contentBlocks, redacted }: CallRun): ToolResult {
  const noted = hookNotes ? withHookNotes(bare, hookNotes) : bare
  const complete = contentBlocks ? withBlocks(noted, contentBlocks) : noted
  if (!redacted) return complete.error ? withState(complete) : complete
  return withState({
    ...complete,
    toolcrib: { ...complete.toolcrib, redactions: Object.freeze({ ...redacted }) },
  })
}

/**
 * The output's state is known already. In errors and in the notes of hooks, a mask shows that something was redacted.
 */
function withState(result: ToolResult): ToolResult {
  const { redaction_state: state, error, toolcrib } = result
  if (state !== 'none' || !(holdsMark(error) || holdsMark(toolcrib))) return result
  return { ...result, redaction_state: 'partially_redacted' }
}

/** The result for the log: the result itself, in short if it is plain, or the reduced one if the full one may not be stored. */
function loggedOf(result: ToolResult, call: CallState, run: CallRun): object {
  const { kept, plainResult } = call
  if (plainResult === result && !kept) return plainOf(result)
  freezeResult(result)
  if (!kept || !hasOwnResult(call)) return result
  return freezeResult(withNotes(kept, run))
}

/** The log keeps what is frozen already, and texts: the result itself belongs to its caller. */
function plainOf(result: ToolResult): PlainResult {
  const { invocation_id: id, created_at: createdAt, structured_content: structured, toolcrib: own } = result
  return new PlainResult(id, createdAt, result.content![0]!.text!, structured, own)
}

/** The call is read as a stream, or it is the next of its batch. */
function isHandedOn({ slot, listeners }: CallRun): boolean {
  return slot ? slot.isNext : listeners !== undefined && listeners.size > 0
}

/** The result is yielded to stream readers if the status machine allows `yielded` on the way to the end. */
function isYielded(from: InvocationStatus, to: TerminalStatus): boolean {
  return isLegalTransition(from, 'yielded') && isLegalTransition('yielded', to)
}

function terminalData(
  status: TerminalStatus,
  { error, abortReason, startedAt }: CallState,
): object | undefined {
  if (!error) return undefined
  const data: Record<string, unknown> = { error_class: error.error_class, error_code: error.error_code }
  // Two statuses share an event class: this field distinguishes them.
  if (status === 'schema_parse_failed') data['status'] = status
  if (abortReason !== undefined) data['abort_reason'] = abortReason
  // The call may be on disk as started although it was stopped before its executor ran.
  if (startedAt === undefined) data['ran'] = false
  return data
}

function failedResult(call: CallState, run: CallRun, raw: ToolError): ToolResult {
  // Hooks and judges quote what they saw: this is the last point where their texts can be redacted.
  const error = cleanValue(completeGuidance(call, run, raw), run)
  const { forModel, forPerson } = describeError(error, toolTitle(call, run))
  const message: ContentBlock = { type: 'text', text: error.message }
  const status = errorTable[error.error_class].resultStatus
  const modelFacing: ContentBlock[] = [message, { type: 'text', text: forModel }]
  const result = createResult(call, run, status, { content: [message], modelFacing })
  result.ui_facing_summary = forPerson
  result.error = error
  if (error.policy_refs) result.policy_refs = error.policy_refs
  if (call.abortReason !== undefined) result.abort_reason = call.abortReason
  return result
}

/** The result is a record from here on: callers may read it but not change the log. */
function freezeResult(result: ToolResult): ToolResult {
  const { content, model_facing_content: modelFacing } = result
  freezeBlocks(content)
  if (modelFacing !== content) freezeBlocks(modelFacing)
  if (!Object.isFrozen(result.structured_content)) deepFreeze(result.structured_content)
  deepFreeze(result.toolcrib)
  if (result.error) deepFreeze(result.error)
  if (result.resource_refs) deepFreeze(result.resource_refs)
  if (result.artifact_refs) deepFreeze(result.artifact_refs)
  return Object.freeze(result)
}

function freezeBlocks(blocks: ToolResult['content']): void {
  if (!blocks) return
  for (const block of blocks) {
    if (block.type === 'text') Object.freeze(block)
    else deepFreeze(block)
  }
  Object.freeze(blocks)
}
