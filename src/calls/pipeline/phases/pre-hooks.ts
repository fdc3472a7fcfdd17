import type { HookAnswer, HookDefinition } from '../../../judgement/hooks/hook.js'
import { runHook, type HookOutcome } from '../../../judgement/hooks/run-hook.js'
import { moveTo, record, signalOf, type CallRun } from '../call-run.js'
import { inputOf, type CallState, type HookHint } from '../call-state.js'
import { canceledStep } from '../canceled.js'
import { changeInput } from '../change-input.js'
import { hookRecordOf } from '../hook-record.js'
import { mayChangeInput } from '../may-change-input.js'
import { rebaseInput } from '../rebase-input.js'
import { recordProgress } from '../record-progress.js'
import { snapshotJson } from '../../../foundation/json/snapshot-json.js'
import { sameJson } from '../../../foundation/json/same-json.js'
import { again, proceed, stop, type Patch, type Step } from '../step.js'
import { toolError } from '../tool-error.js'
import { contextOf } from '../context-of.js'
import { hooksFor } from '../hooks-for.js'

/** Outside opinions. They may rewrite the input, so they come before anyone judges it; they run once per call. */
export function preHooks(call: CallState, run: CallRun): Step | Promise<Step> {
  if (call.hooksRan || run.world.hooks.length === 0) return proceed()
  const hooks = hooksFor(run, 'pre_tool_use')
  return hooks.length === 0 ? proceed() : runAll(hooks, call, run)
}

async function runAll(hooks: readonly HookDefinition[], call: CallState, run: CallRun): Promise<Step> {
  let patch: Patch = { hooksRan: true }
  let hint: HookHint | undefined
  let rewrittenBy: string | undefined
  for (const [index, hook] of hooks.entries()) {
    if (run.cancelReason !== undefined) return canceledStep(run, 'before')
    const now: CallState = { ...call, ...patch }
    if (index === 0) moveTo(run, 'pre_hooks_running', 'tool.hook.pre.started', { hook_id: hook.id })
    else record(run, 'tool.hook.pre.started', { hook_id: hook.id })
    const startedAt = run.world.now()
    const outcome = await runHook(hook, {
      event: 'pre_tool_use',
      invocationId: call.invocationId,
      toolId: call.toolId,
      toolName: run.tool!.qualifiedName,
      input: inputOf(now, 'call'),
      actor: run.row.actor,
      session: run.row.session,
      callSignal: signalOf(run),
    })
    record(run, 'tool.hook.pre.completed', { hook: hookRecordOf({ hook, call, run, outcome, startedAt }) })
    const answer = answerOf(outcome)
    if (answer.progress) recordProgress(run, call, { message: String(answer.progress) })
    hint = stricter(hint, hintOf(hook, outcome))
    if (answer.additionalContext) {
      patch.additionalContext = [
        ...now.additionalContext,
        ...contextOf(answer.additionalContext, run.secrets),
      ]
    }
    if (answer.stop) {
      return stop(
        toolError('hook_blocked', {
          message: `The hook "${hook.id}" stopped the call: ${answer.stop.reason}`,
        }),
        patch,
      )
    }
    if (answer.updatedInput !== undefined) {
      const changed = rewrite(hook, { ...call, ...patch }, run, { to: answer.updatedInput, rewrittenBy })
      if ('kind' in changed) return changed
      if (changed.inputs) rewrittenBy = hook.id
      patch = { ...patch, ...changed }
    }
  }
  patch.hookHint = hint
  return rewrittenBy === undefined ? proceed(patch) : again(patch)
}

function rewrite(
  hook: HookDefinition,
  call: CallState,
  run: CallRun,
  { to, rewrittenBy }: { to: unknown; rewrittenBy: string | undefined },
): Patch | Step {
  const snapshot = snapshotJson(to)
  if ('notJson' in snapshot) {
    return stop(
      toolError('input_mutation_failed', {
        message: `The input from the hook "${hook.id}" ${snapshot.notJson}.`,
      }),
    )
  }
  if (sameJson(inputOf(call, 'call'), snapshot.value)) return {}
  if (rewrittenBy !== undefined) {
    return stop(
      toolError('input_mutation_failed', {
        code: 'toolcrib.two_rewrites',
        message: `The hooks "${rewrittenBy}" and "${hook.id}" both rewrite this call; let only one of them.`,
      }),
    )
  }
  const forbidden = mayChangeInput(run.tool!, 'hook')
  if (forbidden) return stop(forbidden)
  return changeInput(call, run, {
    input: snapshot.value,
    sourceType: 'hook',
    sourceRef: `hook:${hook.id}`,
    reason: 'A hook replaced the input.',
    source: rebaseInput(call.source, inputOf(call, 'call'), snapshot.value),
  })
}

function answerOf(outcome: HookOutcome): HookAnswer {
  return outcome.ok ? outcome.answer : {}
}

/** A gate that breaks has not opened: it counts as an ask. */
function hintOf(hook: HookDefinition, outcome: HookOutcome): HookHint | undefined {
  const isAuthoritative = hook.isAuthoritative ?? false
  if (!outcome.ok) return { behavior: 'ask', hookId: hook.id, message: outcome.problem, isAuthoritative }
  const { permission } = outcome.answer
  if (!permission || permission.behavior === 'passthrough') return undefined
  const behavior = Object.hasOwn(STRICTNESS, permission.behavior) ? permission.behavior : 'ask'
  const message = permission.message ?? `The hook "${hook.id}" says ${String(permission.behavior)}.`
  return { behavior, hookId: hook.id, message: String(message), isAuthoritative }
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const

function stricter(a: HookHint | undefined, b: HookHint | undefined): HookHint | undefined {
  if (!a || !b) return a ?? b
  if (a.behavior === b.behavior) return b.isAuthoritative ? b : a
  return STRICTNESS[b.behavior] > STRICTNESS[a.behavior] ? b : a
}
