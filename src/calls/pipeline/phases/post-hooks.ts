import type { HookDefinition } from '../../../judgement/hooks/hook.js'
import { runHook } from '../../../judgement/hooks/run-hook.js'
import { toJson } from '../../../foundation/json/to-json.js'
import { deepFreeze } from '../../results/copy-output.js'
import { mapOutput } from '../../results/map-output.js'
import { contextOf } from '../context-of.js'
import { toResult } from './map-result.js'
import { moveTo, record, signalOf, type CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { hookRecordOf } from '../hook-record.js'
import { hooksFor } from '../hooks-for.js'
import { proceed, stop, type Patch, type Step } from '../step.js'
import { toolError } from '../tool-error.js'

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
      output: frozenCopy(now.result?.structured_content ?? now.result?.content),
      error: now.error && { error_class: now.error.error_class, message: now.error.message },
      actor: run.row.actor,
      session: run.row.session,
      callSignal: signalOf(run),
    })
    record(run, 'tool.hook.post.completed', { hook: hookRecordOf({ hook, call, run, outcome, startedAt }) })
    if (!outcome.ok) continue
    const { additionalContext, stop: stopped, updatedOutput } = outcome.answer
    if (additionalContext) patch = withContext(now, patch, contextOf(additionalContext, run.secrets))
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
    if (updatedOutput !== undefined && now.result) {
      patch = { ...patch, ...(await remap(hook, { ...call, ...patch }, run, updatedOutput)) }
    }
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

/** A hook that owns the output replaces it: it is mapped and checked again, and the result says who did it. */
async function remap(hook: HookDefinition, call: CallState, run: CallRun, output: unknown): Promise<Patch> {
  const { draft, prepared } = run.tool!
  try {
    const mapped = mapOutput(output, draft.output)
    const checked = await prepared.output?.(mapped.checked)
    if (checked && !checked.ok) return noteProblem(hook, call, 'its output does not fit the schema')
    const result = toResult(call, run, mapped)
    result.toolcrib = { ...result.toolcrib, output_updated_by: `hook:${hook.id}` }
    return { result, resultSize: mapped.size }
  } catch {
    return noteProblem(hook, call, 'its output cannot be shown as JSON')
  }
}

/** The tool has done its work; a hook that fails after it changes nothing about that. */
function noteProblem(hook: HookDefinition, call: CallState, problem: string): Patch {
  const { result } = call
  if (!result) return {}
  const said = `The hook "${hook.id}" was not heard: ${problem}.`
  return { result: { ...result, toolcrib: { ...result.toolcrib, hook_problem: said } } }
}

function frozenCopy(value: unknown): unknown {
  return deepFreeze(toJson(value))
}
