import type { ToolEvent } from '../../../contract/objects/tool-event.js'
import type { ToolHook } from '../../../contract/objects/tool-hook.js'
import type { ToolInputMutation } from '../../../contract/objects/tool-input-mutation.js'
import type { ToolPermissionDecision } from '../../../contract/objects/tool-permission-decision.js'
import type { ToolProgress } from '../../../contract/objects/tool-progress.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { ToolResultPersistence } from '../../../contract/objects/tool-result-persistence.js'
import { nameOfRef } from '../../../platform/json/versioned-ref.js'
import { describeWait } from '../../../contract/describe-wait.js'
import { eventMeaning } from '../../../contract/event-table.js'
import { contentText } from '../terminal/content-text.js'
import { countText } from '../terminal/count-text.js'
import { durationText } from '../terminal/duration-text.js'
import { oneLine } from '../../../platform/text/printable.js'
import { reasonText, describePersistence, withReasonText } from './describe-persistence.js'
import { callerText } from './caller-text.js'
import { progressText } from './progress-text.js'

/** One event as one line of plain text. */
export function describeEvent({ event_type: type, data = {} }: ToolEvent): string {
  const words = WORDS[type]
  return oneLine(words ? words(data) : (eventMeaning[type] ?? type))
}

type Data = Record<string, unknown>
type Words = (data: Data) => string

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Events with details beyond the meaning of their type. */
const WORDS: Partial<Record<ToolEvent['event_type'], Words>> = {
  'tool.invocation.planned': ({ requested_name: name, actor, client }) => {
    const who = callerText(text(actor), client)
    return `asked for as ${JSON.stringify(name)}${who === '' ? '' : ` by ${who}`}`
  },
  'tool.invocation.selected': ({ tool_id: toolId }) => `the tool is ${text(toolId)}`,
  'tool.invocation.arguments_ready': () => 'the arguments fit the schema',
  'tool.invocation.validation_failed': (data) => `the arguments were refused${because(data)}`,
  'toolcrib.invocation.input_changed': ({ mutation }) => mutationText(mutation as ToolInputMutation),
  'tool.permission.requested': ({ decision }) => `approval asked for ${decisionText(decision)}`,
  'tool.permission.decided': ({ decision }) => {
    const { behavior } = decision as ToolPermissionDecision
    return `${BEHAVIOUR[behavior] ?? behavior} ${decisionText(decision)}`
  },
  'toolcrib.invocation.environment': ({ sandbox }) =>
    `runs in the sandbox: ${text((sandbox as { profile?: unknown } | undefined)?.profile)}`,
  'toolcrib.invocation.sandbox_violated': ({ message }) =>
    `the sandbox prevented something: ${text(message)}`,
  'toolcrib.invocation.called_tool': ({ invocation_id: id }) => `called another tool: ${text(id)}`,
  'toolcrib.approval.announced': ({ approval_id: id }) => `the question ${text(id)} was sent out`,
  'toolcrib.approval.announce_failed': ({ approval_id: id, attempt, message }) =>
    `the question ${text(id)} could not be sent out, attempt ${attempt}: ${text(message)}`,
  'toolcrib.approval.reminded': ({ approval_id: id, reminder }) =>
    `the question ${text(id)} is still open, reminder ${reminder}`,
  'toolcrib.approval.answered_late': ({ approval_id: id, by }) =>
    `the question ${text(id)} was answered by ${text(by)} after its time limit, which changes nothing`,
  'toolcrib.invocation.claimed': () => 'taken over, for the process that asked is gone',
  'toolcrib.invocation.approved': () => 'approved',
  'toolcrib.invocation.denied': (data) => `denied${because(data)}`,
  'toolcrib.invocation.blocked': (data) => `ended: blocked${because(data)}`,
  'tool.invocation.queued': (data) => `waits for ${describeWait(data) ?? 'its turn'}`,
  'tool.invocation.started': ({ attempt }) =>
    attempt === undefined ? 'the tool started' : `the tool started, attempt ${attempt}`,
  'toolcrib.invocation.attempt_failed': ({ attempt, error, retry_in_ms: waitMs }) =>
    `attempt ${attempt} failed, the next one in ${durationText(Number(waitMs))}: ${messageOf(error)}`,
  'tool.invocation.progress': ({ progress }) =>
    (progress as ToolProgress).status === 'backgrounded'
      ? 'continues in the background'
      : `progress: ${progressText(progress as ToolProgress)}`,
  'tool.invocation.partial_result': ({ value, not_kept: reason }) =>
    reason === undefined
      ? `part of the result: ${JSON.stringify(value)}`
      : `part of the result, not kept: ${text(reason)}`,
  'toolcrib.invocation.resumed': () => 'went on',
  'toolcrib.invocation.needs_input': ({ message }) => `the tool asked: ${text(message)}`,
  'tool.hook.pre.started': ({ hook_id: id }) => `hook ${text(id)} looked at the call`,
  'tool.hook.pre.completed': ({ hook }) => hookText(hook as ToolHook),
  'tool.hook.post.started': ({ hook_id: id }) => `hook ${text(id)} looked at the result`,
  'tool.hook.post.completed': ({ hook }) => hookText(hook as ToolHook),
  'toolcrib.hook.completed': ({ hook }) => hookText(hook as ToolHook),
  'toolcrib.hook.failed': ({ error }) => `failed after the tool ran: ${messageOf(error)}`,
  'tool.result.redacted': ({ by, reason }) =>
    `taken out of the result${by === undefined ? '' : ` by ${text(by)}`}: ${reasonText(reason)}`,
  'tool.result.persisted': ({ persistence }) => describePersistence(persistence as ToolResultPersistence),
  'tool.invocation.yielded': () => 'the result was handed on',
  'tool.invocation.succeeded': () => 'succeeded',
  'tool.invocation.failed': (data) => `failed${because(data)}`,
  'tool.invocation.canceled': (data) =>
    data['error_code'] === 'toolcrib.canceled' ? 'canceled' : `canceled${because(data)}`,
  'tool.invocation.timed_out': () => 'ran out of time',
  'toolcrib.invocation.cancel_requested': ({ abort_reason: reason }) =>
    `asked to stop (${text(reason).replaceAll('_', ' ')})`,
  'toolcrib.invocation.cancel_acknowledged': () => 'the tool stopped',
  'toolcrib.invocation.cancel_failed': ({ error, unconfirmed }) => {
    if (error !== undefined) return `the tool failed instead of stopping: ${messageOf(error)}`
    return unconfirmed === true
      ? 'the tool did not confirm that it stopped'
      : 'the tool did not stop and was let go'
  },
  'toolcrib.artifact.created': (data) => `delivered ${artifactText(data)}`,
  'toolcrib.artifact.version_added': (data) => `delivered ${artifactText(data)}`,
  'toolcrib.artifact.handed_off': ({ artifact_id: id, to }) => `${text(id)} was handed off to ${text(to)}`,
  'toolcrib.artifact.exported': ({ artifact_id: id, uri }) => `${text(id)} was exported to ${text(uri)}`,
  'toolcrib.artifact.removed': ({ artifact_id: id }) => `${text(id)} was removed`,
  'toolcrib.record.deleted': ({ deleted, by }) =>
    `the records of ${countText(Number(deleted), 'call')} were deleted by ${text(by)}`,
  'toolcrib.record.envelopes_deleted': ({ deleted, by }) =>
    `the envelopes of ${countText(Number(deleted), 'call')} were deleted by ${text(by)}`,
  'toolcrib.result.late_answer': ({ message_id: id, answer, cut_to }) =>
    `a late answer came (message ${text(id)}): ${cut_to === undefined ? JSON.stringify(answer) : text(answer)}`,
  'tool.result.created': ({ result }) => `result: ${resultText(result as ToolResult)}`,
}

function artifactText({ name, version, uri }: Data): string {
  return `${text(name)}, version ${String(version)}: ${text(uri)}`
}

function messageOf(error: unknown): string {
  return text((error as { message?: unknown } | undefined)?.message)
}

const BEHAVIOUR: Partial<Record<string, string>> = { allow: 'allowed', deny: 'denied', ask: 'to be asked' }

function because({ error_code: code }: Data): string {
  return code === undefined ? '' : ` (${text(code).replace(/^toolcrib\./, '')})`
}

function decisionText(decision: unknown): string {
  const { source, reason, toolcrib } = decision as ToolPermissionDecision
  const by = text(toolcrib?.['by'])
  return `by ${text(source)}${by === '' ? '' : ` (${by})`}${reason?.message ? `: ${reason.message}` : ''}`
}

const MAKER: Record<string, string> = { adapter: 'the schema', runtime: 'the runtime', hook: 'a hook' }

function mutationText({
  source_type: by,
  source_ref: ref,
  changed_fields: fields,
}: ToolInputMutation): string {
  const names = (fields ?? []).map((field) => field.replace(/^\//, '').replaceAll('/', '.') || 'everything')
  const maker = MAKER[by] ?? by.replaceAll('_', ' ')
  return `input changed by ${maker}${ref ? ` (${nameOfRef(ref)})` : ''}: ${names.join(', ') || 'nothing'}`
}

function hookText(hook: ToolHook): string {
  const { hook_id: id, permission_result: permission, outputs = [], toolcrib = {} } = hook
  // Its problem is a sentence that names it.
  if (toolcrib['problem'] !== undefined) return text(toolcrib['problem'])
  const parts = [
    permission ? `says ${permission.behavior}${permission.message ? ` (${permission.message})` : ''}` : '',
    ...outputs.map(outputText),
  ].filter((part) => part !== '')
  return `hook ${id}: ${parts.join(', ') || 'nothing to say'}`
}

function outputText({ type, text: words, toolcrib }: NonNullable<ToolHook['outputs']>[number]): string {
  const isRefused = toolcrib?.['refused'] !== undefined
  switch (type) {
    case 'message':
      return text(words)
    case 'additional_context':
      return `adds "${text(words)}"`
    case 'stop':
      return `wants it to end (${text(words)})`
    case 'updated_input':
      return isRefused ? 'wanted another input' : 'changed the input'
    case 'updated_output':
      return isRefused ? 'wanted another output' : 'changed the output'
    // Shown elsewhere: progress as an event of its own, a permission above.
    case 'progress':
    case 'permission_result':
      return ''
  }
}

function resultText(result: ToolResult): string {
  const { is_error: isError, error } = result
  if (isError && error) return error.message
  // Nothing of the tool's output is left: the text is Toolcrib's.
  return result.content?.length === 0 ? withReasonText(contentText(result)) : contentText(result)
}
