import { isoTime } from '../../foundation/contract/iso-time.js'
import type { ToolHook } from '../../foundation/contract/objects/tool-hook.js'
import { SCHEMA_VERSION } from '../../foundation/contract/unions.js'
import { scrubText, scrubValue } from '../../foundation/redaction/scrub.js'
import type { HookDefinition } from '../../judgement/hooks/hook.js'
import type { HookOutcome } from '../../judgement/hooks/run-hook.js'
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
  if (message !== undefined) record.outputs = [{ type: 'message', text: scrubText(message, run.secrets) }]
  if (permission) record.permission_result = scrubValue({ ...permission }, run.secrets)
  if (additionalContext) {
    record.additional_context = [additionalContext]
      .flat()
      .map((text) => ({ text: scrubText(text, run.secrets) }))
  }
  if (stop) record.stop = { message: scrubText(stop.reason, run.secrets) }
  if (updatedInput !== undefined) record.toolcrib = { ...record.toolcrib, updated_input: true }
  if (updatedOutput !== undefined) record.toolcrib = { ...record.toolcrib, updated_output: true }
  return record
}
