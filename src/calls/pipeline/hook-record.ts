import { isoTime } from '../../foundation/contract/iso-time.js'
import type { ToolHook } from '../../foundation/contract/objects/tool-hook.js'
import { permissionBehaviors, SCHEMA_VERSION } from '../../foundation/contract/unions.js'
import { scrubText } from '../../foundation/redaction/scrub.js'
import type { HookAnswer, HookDefinition } from '../../judgement/hooks/hook.js'
import type { HookOutcome } from '../../judgement/hooks/run-hook.js'
import { contextOf } from './context-of.js'
import type { CallRun } from './call-run.js'
import type { CallState } from './call-state.js'

/** The standard's record of one run of one hook. New inputs and outputs are kept where they took effect, not here. */
export function hookRecordOf({
  hook,
  call,
  run,
  outcome,
  startedAt,
}: {
  hook: HookDefinition
  call: CallState
  run: CallRun
  outcome: HookOutcome
  startedAt: number
}): ToolHook {
  const base: ToolHook = {
    schema_version: SCHEMA_VERSION,
    hook_id: hook.id,
    hook_event: hook.event,
    invocation_id: call.invocationId,
    tool_id: call.toolId,
    started_at: isoTime(startedAt),
    ended_at: isoTime(run.world.now()),
  }
  if (hook.tools) base.matcher = { tools: [...hook.tools] }
  if (!outcome.ok)
    return { ...base, toolcrib: { outcome: 'failed', problem: scrubText(outcome.problem, run.secrets) } }
  const { message, permission, additionalContext, stop, updatedInput, updatedOutput } = outcome.answer
  const record: ToolHook = { ...base, toolcrib: { outcome: 'completed' } }
  if (message !== undefined)
    record.outputs = [{ type: 'message', text: scrubText(String(message), run.secrets) }]
  if (permission) record.permission_result = permissionOf(permission, run)
  if (additionalContext) {
    record.additional_context = contextOf(additionalContext, run.secrets).map((text) => ({ text }))
  }
  if (stop) record.stop = { message: scrubText(String(stop.reason), run.secrets) }
  if (updatedInput !== undefined) record.toolcrib = { ...record.toolcrib, updated_input: true }
  if (updatedOutput !== undefined) record.toolcrib = { ...record.toolcrib, updated_output: true }
  return record
}

/** As it was understood: what cannot be read counts as an ask. */
function permissionOf(
  { behavior, message }: NonNullable<HookAnswer['permission']>,
  run: CallRun,
): NonNullable<ToolHook['permission_result']> {
  return {
    behavior: permissionBehaviors.includes(behavior) ? behavior : 'ask',
    ...(message !== undefined && { message: scrubText(String(message), run.secrets) }),
  }
}
