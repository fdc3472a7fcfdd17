import { toJson } from '../../platform/json/to-json.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { HookDefinition } from '../../hooks/hook.js'
import type { HookOutcome } from '../../hooks/run-hook.js'
import { deepFreeze } from '../../platform/json/deep-freeze.js'
import { mapOutput } from '../../results/map-output.js'
import { wholeOf } from '../../results/payload-of.js'
import { askHook } from './ask-hook.js'
import { moveTo, record } from '../record.js'
import type { PostHookRun } from './hook-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { cleanText } from '../secrets/clean.js'
import { contextOf } from './context-of.js'
import { noteHookProblem } from './hook-notes.js'
import { hookRecordOf, type Taken } from './hook-record.js'
import { hooksFor, wantsInput } from './hooks-for.js'
import { recordProgress } from '../progress/record-progress.js'
import { PROCEED, proceed, stop, type Patch, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'
import { toResult } from '../map-result/map-result.js'

/**
 * Runs the hooks after the tool; failures have hooks of their own. A failed hook is noted in the result and changes
 * nothing else, unless its `onFailure` is `deny`.
 */
export function postHooks(call: CallState, run: PostHookRun): Step | Promise<Step> {
  if (run.ports.hooks.length === 0 || call.startedAt === undefined) return PROCEED
  const hooks = hooksAfter(call, run)
  return hooks.length === 0 ? PROCEED : runAll(hooks, call, run)
}

function hooksAfter(call: CallState, run: PostHookRun): readonly HookDefinition[] {
  const ran = inputOf(call, 'call')
  const event = call.error ? 'post_tool_use_failure' : 'post_tool_use'
  return hooksFor(run, event).filter((hook) => wantsInput(hook, ran, run))
}

async function runAll(hooks: readonly HookDefinition[], call: CallState, run: PostHookRun): Promise<Step> {
  let patch: Patch = {}
  for (const [index, hook] of hooks.entries()) {
    const now: CallState = { ...call, ...patch }
    if (index === 0) moveTo(run, 'post_hooks_running', 'tool.hook.post.started', { hook_id: hook.id })
    else record(run, 'tool.hook.post.started', { hook_id: hook.id })
    const startedAt = run.ports.now()
    const outcome = await askHook(
      hook,
      { call: now, run },
      {
        input: inputOf(call, 'call'),
        output: now.result && shownOutput(now.result),
        error: now.error && { error_class: now.error.error_class, message: now.error.message },
      },
    )
    const remapped = await remapFor(hook, now, run, outcome)
    record(run, 'tool.hook.post.completed', {
      hook: hookRecordOf({ hook, call, run, outcome, startedAt, taken: remapped?.taken }),
    })
    if (!outcome.ok) {
      const error = recordFailure(hook, run, outcome.problem)
      // This hook must see the result, and has not.
      if (hook.onFailure === 'deny') return stop(error, { ...patch, result: undefined })
      noteHookProblem(run, outcome.problem)
      continue
    }
    if (remapped && 'refused' in remapped.taken)
      recordFailure(hook, run, ignoredAnswer(hook, remapped.taken.refused))
    const { progress, additionalContext, stop: stopped } = outcome.answer
    if (progress) recordProgress(run, call, { message: progress })
    patch = { ...patch, ...remapped?.patch }
    if (additionalContext) patch = withContext({ ...now, ...patch }, patch, contextOf(additionalContext, run))
    if (stopped) return stop(withheldBy(hook, stopped.reason), { ...patch, result: undefined })
  }
  return proceed(patch)
}

/** Records that a hook failed after the tool ran, also where the result is dropped. */
function recordFailure({ id }: HookDefinition, run: PostHookRun, problem: string): ToolError {
  const error = toolError('post_hook_failed', { message: cleanText(problem, run) })
  const { error_class, error_code, message } = error
  record(run, 'toolcrib.hook.failed', { hook_id: id, error: { error_class, error_code, message } })
  return error
}

function ignoredAnswer({ id }: HookDefinition, why: string): string {
  return `The hook "${id}" was not heard: ${why}.`
}

/** The output that the model will receive, frozen for hooks. */
export function shownOutput({ structured_content: structured, content }: ToolResult): unknown {
  return deepFreeze(toJson(structured ?? content))
}

function withheldBy({ id }: HookDefinition, reason: string) {
  return toolError('hook_blocked', {
    code: 'toolcrib.result_withheld',
    message: `The hook "${id}" withheld the result: ${reason}`,
    details: { stopped_by: `hook:${id}` },
  })
}

function withContext(call: CallState, patch: Patch, added: readonly string[]): Patch {
  const additionalContext = [...call.additionalContext, ...added]
  const result = call.result && {
    ...call.result,
    toolcrib: { ...call.result.toolcrib, additional_context: additionalContext },
  }
  return { ...patch, additionalContext, ...(result && { result }) }
}

/** A hook that owns the output replaces it: the new one is mapped and checked again, and the result names the hook. */
async function remapFor(
  hook: HookDefinition,
  call: CallState,
  run: PostHookRun,
  outcome: HookOutcome,
): Promise<{ taken: Taken; patch: Patch } | undefined> {
  if (!outcome.ok || outcome.answer.updatedOutput === undefined || !call.result || call.error)
    return undefined
  const { draft, prepared } = run.tool!
  try {
    const mapped = mapOutput(outcome.answer.updatedOutput, draft.output)
    const checked = await prepared.output?.(mapped.checked)
    if (checked && !checked.ok) return notTaken(hook, run, 'its output does not fit the schema')
    // The executor's output, not an earlier hook's.
    if (call.streamed) run.nativeStream ??= call.streamed
    else if (!run.nativeStream) run.native ??= wholeOf(call.result)
    const result = toResult(call, run, mapped)
    result.toolcrib = { ...result.toolcrib, output_updated_by: `hook:${hook.id}` }
    record(run, 'toolcrib.result.remapped', { result_id: result.result_id, by: `hook:${hook.id}` })
    return {
      taken: { ref: result.result_id },
      patch: { result, resultSize: mapped.size, streamed: undefined, blocksBeside: undefined },
    }
  } catch {
    return notTaken(hook, run, 'its output cannot be shown as JSON')
  }
}

/** The tool has done its work; a hook that fails afterwards does not change that. */
function notTaken(hook: HookDefinition, run: PostHookRun, why: string): { taken: Taken; patch: Patch } {
  noteHookProblem(run, ignoredAnswer(hook, why))
  return { taken: { refused: why }, patch: {} }
}
