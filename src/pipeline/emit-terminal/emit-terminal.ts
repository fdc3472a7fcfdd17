import { errorTable } from '../../contract/error-table.js'
import { isLegalTransition, type TerminalStatus } from '../../contract/status-table.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { cleanValue } from '../secrets/clean.js'
import { holdsMark } from '../../redaction/holds-mark.js'
import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { tellError } from '../../contract/tell-error.js'
import type { EventClass, InvocationStatus } from '../../contract/unions.js'
import { settleApproval } from '../permission/approvals.js'
import { moveTo, record, type CallRun } from '../call-run.js'
import { hasOwnResult, type CallState } from '../call-state.js'
import { leaveTurn } from '../schedule/leave-turn.js'
import { deepFreeze } from '../../results/copy-output.js'
import { completeGuidance } from '../failures/complete-guidance.js'
import { createResult } from '../map-result/create-result.js'
import { withBlocks } from '../permission/decider-blocks.js'
import { withHookNotes } from '../hooks/hook-notes.js'
import { proceed, type Step } from '../step.js'
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

/** Every call ends here, with one result. */
export function emitTerminal(call: CallState, run: CallRun): Step {
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
  record(run, 'tool.result.created', keptOf(freezeResult(result, call), call, run), endedAt)
  run.isOver = true
  run.slot?.ended(result)
  return result === call.result ? proceed() : proceed({ result })
}

/** With what others had to say beside the tool, and how much was taken out of it: by rule, never what it was. */
function withNotes(bare: ToolResult, { hookNotes, contentBlocks, redacted }: CallRun): ToolResult {
  const noted = hookNotes ? withHookNotes(bare, hookNotes) : bare
  const told = contentBlocks ? withBlocks(noted, contentBlocks) : noted
  if (!redacted) return told.error ? withState(told) : told
  return withState({ ...told, toolcrib: { ...told.toolcrib, redactions: Object.freeze({ ...redacted }) } })
}

/** Of the output it is known whether something was taken out of it; an error and the notes of hooks show it by a mark. */
function withState(result: ToolResult): ToolResult {
  const { redaction_state: state, error, toolcrib } = result
  if (state !== 'none' || !(holdsMark(error) || holdsMark(toolcrib))) return result
  return { ...result, redaction_state: 'partially_redacted' }
}

/** What the log gets: the result itself, or what is left where it may not be kept. */
function keptOf(result: ToolResult, call: CallState, run: CallRun): ToolResult {
  const { kept } = call
  if (!kept || !hasOwnResult(call)) return result
  return freezeResult(withNotes(kept, run), call)
}

/** Somebody reads the call as a stream, or it is the next of its batch. */
function isHandedOn({ slot: seat, listeners }: CallRun): boolean {
  return seat ? seat.isNext : listeners !== undefined && listeners.size > 0
}

/** The result goes to whoever reads the call as a stream, where the way from here to its end leads past that. */
function isYielded(from: InvocationStatus, to: TerminalStatus): boolean {
  return isLegalTransition(from, 'yielded') && isLegalTransition('yielded', to)
}

function terminalData(
  status: TerminalStatus,
  { error, abortReason, startedAt }: CallState,
): object | undefined {
  if (!error) return undefined
  const data: Record<string, unknown> = { error_class: error.error_class, error_code: error.error_code }
  // Two statuses share an event class: this tells them apart.
  if (status === 'schema_parse_failed') data['status'] = status
  if (abortReason !== undefined) data['abort_reason'] = abortReason
  // It may be on disk as started and yet have been stopped before its executor was reached.
  if (startedAt === undefined) data['ran'] = false
  return data
}

function failedResult(call: CallState, run: CallRun, raw: ToolError): ToolResult {
  // Hooks and judges quote what they saw: the last place where their words can be cleaned.
  const error = cleanValue(completeGuidance(call, run, raw), run)
  const { forModel, forPerson } = tellError(error, toolTitle(call, run))
  const said: ContentBlock = { type: 'text', text: error.message }
  const status = errorTable[error.error_class].resultStatus
  const modelFacing: ContentBlock[] = [said, { type: 'text', text: forModel }]
  const result = createResult(call, run, status, { content: [said], modelFacing })
  result.ui_facing_summary = forPerson
  result.error = error
  if (error.policy_refs) result.policy_refs = error.policy_refs
  if (call.abortReason !== undefined) result.abort_reason = call.abortReason
  return result
}

/** It is a record from here on: whoever gets it may read it, and the log stays as it was. */
function freezeResult(result: ToolResult, { mutations, additionalContext }: CallState): ToolResult {
  const { content, model_facing_content: modelFacing, toolcrib } = result
  freezeBlocks(content)
  if (modelFacing !== content) freezeBlocks(modelFacing)
  if (!Object.isFrozen(result.structured_content)) deepFreeze(result.structured_content)
  // Most results say only flat things of their own; the others are walked.
  if (mutations.length === 0 && additionalContext.length === 0) Object.freeze(toolcrib)
  else deepFreeze(toolcrib)
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
