import { projectCall } from '../../storage/journal/project-call.js'
import type { ToolPermissionDecision } from '../../contract/objects/tool-permission-decision.js'
import { toJson } from '../../platform/json/to-json.js'
import type { HookEvent } from '../../contract/unions.js'
import type { HookDefinition } from '../../hooks/hook.js'
import type { HookOutcome } from '../../hooks/run-hook.js'
import { deepFreeze } from '../../platform/json/deep-freeze.js'
import { askHook } from './ask-hook.js'
import { record } from '../record.js'
import type { HookedRun } from './hook-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { noteHookContext, noteHookProblem } from './hook-notes.js'
import { hookRecordOf } from './hook-record.js'
import { hooksFor, wantsInput } from './hooks-for.js'
import { recordProgress } from '../progress/record-progress.js'

export interface Consulted {
  hook: HookDefinition
  outcome: HookOutcome
}

/** Runs the hooks of an event around permission or persistence, one after the other; each run is recorded. */
export async function consultHooks(
  event: HookEvent,
  call: CallState,
  run: HookedRun,
  shown: { output?: unknown } = {},
): Promise<Consulted[]> {
  const input = inputOf(call, 'permission')
  const hooks = hooksFor(run, event).filter((hook) => wantsInput(hook, input, run))
  if (hooks.length === 0) return []
  const decision = event === 'permission_decision' ? await lastDecision(run) : undefined
  const consulted: Consulted[] = []
  for (const hook of hooks) {
    if (run.isOver) break
    const startedAt = run.ports.now()
    const outcome = await askHook(hook, { call, run }, { input, ...shown, decision })
    record(run, 'toolcrib.hook.completed', { hook: hookRecordOf({ hook, call, run, outcome, startedAt }) })
    if (outcome.ok) {
      const { progress, additionalContext } = outcome.answer
      if (progress) recordProgress(run, call, { message: progress })
      if (additionalContext) noteHookContext(run, additionalContext)
    } else if (event === 'permission_decision' || hook.onFailure === 'continue') {
      noteHookProblem(run, outcome.problem)
    }
    consulted.push({ hook, outcome })
  }
  return consulted
}

/** The decision as it was recorded. */
async function lastDecision({ ports, row }: HookedRun): Promise<ToolPermissionDecision | undefined> {
  const { journal } = ports
  try {
    await journal.flush()
    const story = projectCall(await journal.store.readStream(row.tenant, row.invocationId))
    // A copy: the log itself may be in memory.
    return deepFreeze(toJson(story?.decisions.at(-1)))
  } catch {
    // An unreadable store ends the call elsewhere; here only the hook gets less.
    return undefined
  }
}
