import type { HookDefinition } from '../../hooks/hook.js'
import type { HookOutcome } from '../../hooks/run-hook.js'
import { askHook } from './ask-hook.js'
import { moveTo, record } from '../record.js'
import type { HookedRun } from './hook-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { canceledStep } from '../failures/canceled.js'
import { contextOf } from './context-of.js'
import { hintOf, stricterHint } from './hook-hint.js'
import { noteHookProblem } from './hook-notes.js'
import { hookRecordOf } from './hook-record.js'
import { hooksFor, wantsInput } from './hooks-for.js'
import { recordProgress } from '../progress/record-progress.js'
import { rewriteInput, type Rewrite } from '../input/rewrite-input.js'
import { PROCEED, again, proceed, stop, type Patch, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/**
 * Runs the hooks before the tool. They may rewrite the input, so they come before permission; they run once per call.
 */
export function preHooks(call: CallState, run: HookedRun): Step | Promise<Step> {
  if (call.hooksRan || run.ports.hooks.length === 0) return PROCEED
  const hooks = hooksFor(run, 'pre_tool_use')
  return hooks.length === 0 ? PROCEED : runAll(hooks, call, run)
}

async function runAll(hooks: readonly HookDefinition[], call: CallState, run: HookedRun): Promise<Step> {
  let patch: Patch = { hooksRan: true }
  let rewrittenBy: HookDefinition | undefined
  for (const hook of hooks) {
    if (run.cancelReason !== undefined) return canceledStep(run, 'before')
    const now: CallState = { ...call, ...patch }
    const input = inputOf(now, 'call')
    if (!wantsInput(hook, input, run)) continue
    if (run.row.status === 'pre_hooks_running') record(run, 'tool.hook.pre.started', { hook_id: hook.id })
    else moveTo(run, 'pre_hooks_running', 'tool.hook.pre.started', { hook_id: hook.id })
    const startedAt = run.ports.now()
    const outcome = await askHook(hook, { call: now, run }, { input })
    const rewrite = rewriteOf(hook, now, run, { outcome, rewrittenBy })
    record(run, 'tool.hook.pre.completed', {
      hook: hookRecordOf({ hook, call, run, outcome, startedAt, taken: rewrite?.taken }),
    })
    const taken = take(hook, now, run, { outcome, rewrite })
    patch = { ...patch, ...taken.patch }
    if (taken.kind === 'stop') return { kind: 'stop', patch }
    if (taken.kind === 'again') rewrittenBy = hook
  }
  return rewrittenBy ? again(patch) : proceed(patch)
}

function rewriteOf(
  hook: HookDefinition,
  call: CallState,
  run: HookedRun,
  { outcome, rewrittenBy }: { outcome: HookOutcome; rewrittenBy: HookDefinition | undefined },
): Rewrite | undefined {
  if (!outcome.ok || outcome.answer.updatedInput === undefined || outcome.answer.stop) return undefined
  return rewriteInput(hook, call, run, { to: outcome.answer.updatedInput, rewrittenBy })
}

/** The step that follows from one hook's answer. Its hint is about the input that it leaves behind. */
function take(
  hook: HookDefinition,
  call: CallState,
  run: HookedRun,
  { outcome, rewrite }: { outcome: HookOutcome; rewrite: Rewrite | undefined },
): Step {
  const hint = hintOf(hook, outcome)
  if (!outcome.ok) {
    if (hook.onFailure === 'deny') return stop(toolError('hook_failed', { message: outcome.problem }))
    if (hook.onFailure === 'continue') noteHookProblem(run, outcome.problem)
    return proceed({ hookHint: stricterHint(call.hookHint, hint) })
  }
  const { progress, additionalContext, stop: stopped } = outcome.answer
  if (progress) recordProgress(run, call, { message: progress })
  const patch: Patch = {}
  if (additionalContext)
    patch.additionalContext = [...call.additionalContext, ...contextOf(additionalContext, run)]
  if (stopped) return stop(stoppedBy(hook, stopped.reason), patch)
  if (rewrite?.kind === 'refused') return stop(rewrite.error, patch)
  const isChanged = rewrite?.kind === 'change'
  if (isChanged) Object.assign(patch, rewrite.apply())
  const before = 'hookHint' in patch ? patch.hookHint : call.hookHint
  patch.hookHint = stricterHint(before, hint)
  return isChanged ? again(patch) : proceed(patch)
}

function stoppedBy({ id }: HookDefinition, reason: string) {
  return toolError('hook_blocked', {
    message: `The hook "${id}" stopped the call: ${reason}`,
    details: { stopped_by: `hook:${id}` },
  })
}
