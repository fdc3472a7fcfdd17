import type { HookDefinition } from '../../../judgement/hooks/hook.js'
import { runHook } from '../../../judgement/hooks/run-hook.js'
import { mapOutput } from '../../results/map-output.js'
import { moveTo, record, type CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { hookRecordOf } from '../hook-record.js'
import { hooksFor } from '../hooks-for.js'
import { proceed, stop, type Patch, type Step } from '../step.js'
import { toolError } from '../tool-error.js'
import { scrubValue } from '../../../foundation/redaction/scrub.js'

/** Outside opinions on what came out; failures are shown to hooks of their own. A broken one is noted, no more. */
export function postHooks(call: CallState, run: CallRun): Step | Promise<Step> {
  if (run.world.hooks.length === 0 || call.startedAt === undefined) return proceed()
  const hooks = hooksFor(run, call.error ? 'post_tool_use_failure' : 'post_tool_use')
  return hooks.length === 0 ? proceed() : runAll(hooks, call, run)
}

async function runAll(hooks: readonly HookDefinition[], call: CallState, run: CallRun): Promise<Step> {
  let patch: Patch = {}
  for (const [index, hook] of hooks.entries()) {
    const now: CallState = { ...call, ...patch }
    if (index === 0) moveTo(run, 'post_hooks_running', 'tool.hook.post.started', { hook_id: hook.id })
    else record(run, 'tool.hook.post.started', { hook_id: hook.id })
    const startedAt = run.world.now()
    const outcome = await runHook(hook, {
      event: hook.event,
      invocationId: call.invocationId,
      toolId: call.toolId,
      toolName: run.tool!.qualifiedName,
      input: inputOf(call, 'observable'),
      output: now.result?.structured_content ?? now.result?.content,
      error: now.error && { error_class: now.error.error_class, message: now.error.message },
      actor: run.entry.row.actor,
      session: run.entry.row.session,
    })
    record(run, 'tool.hook.post.completed', { hook: hookRecordOf({ hook, call, run, outcome, startedAt }) })
    if (!outcome.ok) continue
    const { additionalContext, stop: stopped, updatedOutput } = outcome.answer
    if (additionalContext) patch = withContext(now, patch, [additionalContext].flat())
    if (stopped && !call.error) {
      return stop(
        toolError('hook_blocked', {
          message: `The hook "${hook.id}" withheld the result: ${stopped.reason}`,
        }),
        {
          ...patch,
          result: undefined,
        },
      )
    }
    if (updatedOutput !== undefined && now.result)
      patch = { ...patch, ...remap(hook, now, run, updatedOutput) }
  }
  return proceed(patch)
}

function withContext(call: CallState, patch: Patch, added: readonly string[]): Patch {
  const additionalContext = [...call.additionalContext, ...added]
  const result = call.result && {
    ...call.result,
    toolcrib: { ...call.result.toolcrib, additional_context: additionalContext },
  }
  return { ...patch, additionalContext, ...(result && { result }) }
}

/** A hook that owns the output replaces it; the result is mapped again and says who did it. */
function remap(hook: HookDefinition, call: CallState, run: CallRun, output: unknown): Patch {
  const mapped = mapOutput(output, run.tool!.draft.output)
  return {
    result: scrubValue(
      {
        ...call.result!,
        content: mapped.content,
        structured_content: mapped.structured,
        model_facing_content: mapped.modelFacing,
        toolcrib: { ...call.result!.toolcrib, output_updated_by: `hook:${hook.id}` },
      },
      run.secrets,
    ),
  }
}
