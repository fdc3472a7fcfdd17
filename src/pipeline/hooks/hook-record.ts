import { isoTime } from '../../contract/iso-time.js'
import type { ToolHook } from '../../contract/objects/tool-hook.js'
import { permissionBehaviors, SCHEMA_VERSION } from '../../contract/unions.js'
import { remember } from '../../platform/json/remember.js'
import { toJson } from '../../platform/json/to-json.js'
import { versionedRef } from '../../platform/json/versioned-ref.js'
import { cleanText, cleanValue } from '../secrets/clean.js'
import type { HookAnswer, HookDefinition } from '../../hooks/hook.js'
import type { HookOutcome } from '../../hooks/run-hook.js'
import { contextOf } from './context-of.js'
import type { HookedRun } from './hook-ports.js'
import type { CallState } from '../call-state.js'

/** The outcome of a new input or output: its ref, or why it was refused. */
export type Taken = { ref: string } | { refused: string }

export interface HookRan {
  hook: HookDefinition
  call: CallState
  run: HookedRun
  outcome: HookOutcome
  startedAt: number
  /** Set if the hook gave a new input or output. */
  taken?: Taken | undefined
}

/** The standard's record of one run of one hook. New inputs and outputs are stored where they took effect, not here. */
export function hookRecordOf({ hook, call, run, outcome, startedAt, taken }: HookRan): ToolHook {
  const { id, event, transport = 'function' } = hook
  const facts = { ...cleanValue(outcome.facts, run), hook_ref: hookRef(hook) }
  const base: ToolHook = {
    schema_version: SCHEMA_VERSION,
    hook_id: id,
    hook_event: event,
    invocation_id: call.invocationId,
    tool_id: call.toolId,
    started_at: isoTime(startedAt),
    ended_at: isoTime(run.ports.now()),
  }
  const matching = matcherOf(hook)
  if (matching) base.matcher = matching
  if (!outcome.ok) {
    const problem = cleanText(outcome.problem, run)
    const toolcrib = { ...facts, outcome: outcome.isTimedOut ? 'timed_out' : 'failed', transport, problem }
    return { ...base, toolcrib }
  }
  const { answer, ignored } = outcome
  const isBlocked = answer.stop !== undefined || answer.permission?.behavior === 'deny'
  const toolcrib: Record<string, unknown> = {
    ...facts,
    outcome: isBlocked ? 'blocked' : 'completed',
    transport,
  }
  if (ignored.length > 0) toolcrib['unheard'] = ignored
  if (answer.persistence) toolcrib['persistence'] = cleanValue(answer.persistence, run)
  return { ...base, ...answerFields(answer, run, taken), toolcrib }
}

/** Names the hook as it is configured now. */
export const hookRef = remember((hook: HookDefinition): string =>
  versionedRef(`hook:${hook.id}`, declaredHook(hook)),
)

/** The configuration of a hook; the record of a run has its answer. */
export function declaredHook(hook: HookDefinition): ToolHook {
  const { id, event, transport = 'function', asks, timeoutMs, order, onFailure, isAuthoritative } = hook
  const matcher = matcherOf(hook)
  const toolcrib: Record<string, unknown> = { transport, ...asks }
  if (timeoutMs !== undefined) toolcrib['timeout_ms'] = timeoutMs
  if (order !== undefined) toolcrib['order'] = order
  if (onFailure !== undefined) toolcrib['on_failure'] = onFailure
  if (isAuthoritative) toolcrib['authoritative'] = true
  return {
    schema_version: SCHEMA_VERSION,
    hook_id: id,
    hook_event: event,
    ...(matcher && { matcher }),
    toolcrib,
  }
}

/** Which calls a hook wants to see; undefined if it wants them all. */
export function matcherOf({ tools, matcher, when }: HookDefinition): ToolHook['matcher'] {
  if (!tools && matcher === undefined && !when) return undefined
  return {
    ...(tools && { tools: [...tools] }),
    ...(matcher !== undefined && { matcher }),
    ...(when && { when: toJson(when) }),
  }
}

type AnswerFields = Pick<ToolHook, 'outputs' | 'permission_result' | 'additional_context' | 'stop'>

/** All outputs in one list, and additionally those with a field of their own. */
function answerFields(answer: HookAnswer, run: HookedRun, taken: Taken | undefined): AnswerFields {
  const { message, progress, updatedInput, permission, additionalContext, stop, updatedOutput } = answer
  const clean = (text: string): string => cleanText(String(text), run)
  const outputs: NonNullable<ToolHook['outputs']> = []
  const fields: AnswerFields = {}
  if (message !== undefined) outputs.push({ type: 'message', text: clean(message) })
  if (progress !== undefined) outputs.push({ type: 'progress', text: clean(progress) })
  if (updatedInput !== undefined) outputs.push({ type: 'updated_input', ...takenFields(taken) })
  if (permission) {
    fields.permission_result = permissionOf(permission, run)
    outputs.push({ type: 'permission_result', value: fields.permission_result })
  }
  if (additionalContext) {
    const texts = contextOf(additionalContext, run)
    fields.additional_context = texts.map((text) => ({ text }))
    outputs.push(...texts.map((text) => ({ type: 'additional_context' as const, text })))
  }
  if (stop) {
    fields.stop = { message: clean(stop.reason) }
    outputs.push({ type: 'stop', text: clean(stop.reason) })
  }
  if (updatedOutput !== undefined) outputs.push({ type: 'updated_output', ...takenFields(taken) })
  return outputs.length > 0 ? { outputs, ...fields } : fields
}

function takenFields(taken: Taken | undefined): { ref?: string; toolcrib?: { refused: string } } {
  if (!taken) return {}
  return 'ref' in taken ? { ref: taken.ref } : { toolcrib: { refused: taken.refused } }
}

/** As it was understood: an unreadable answer counts as an ask. */
function permissionOf(
  { behavior, message }: NonNullable<HookAnswer['permission']>,
  run: HookedRun,
): NonNullable<ToolHook['permission_result']> {
  return {
    behavior: permissionBehaviors.includes(behavior) ? behavior : 'ask',
    ...(message !== undefined && { message: cleanText(String(message), run) }),
  }
}
