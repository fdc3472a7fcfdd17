import type { HookEvent } from '../../foundation/contract/unions.js'
import type { HookAnswer } from '../../judgement/hooks/hook.js'
import { runHook } from '../../judgement/hooks/run-hook.js'
import { record, signalOf, type CallRun } from './call-run.js'
import { inputOf, type CallState } from './call-state.js'
import { hookRecordOf } from './hook-record.js'
import { hooksFor } from './hooks-for.js'

export interface Consulted {
  hookId: string
  /** Nothing when the hook broke. */
  answer: HookAnswer | undefined
  problem: string | undefined
}

/** Asks the hooks of an event around permission or persistence, one after the other; each run is recorded. */
export async function consultHooks(
  event: HookEvent,
  call: CallState,
  run: CallRun,
  shown: { output?: unknown } = {},
): Promise<Consulted[]> {
  const answers: Consulted[] = []
  for (const hook of hooksFor(run, event)) {
    if (run.isOver) break
    const startedAt = run.world.now()
    const outcome = await runHook(hook, {
      event,
      invocationId: call.invocationId,
      toolId: call.toolId,
      toolName: run.tool!.qualifiedName,
      input: inputOf(call, 'permission'),
      ...shown,
      actor: run.row.actor,
      session: run.row.session,
      callSignal: signalOf(run),
    })
    record(run, 'toolcrib.hook.completed', { hook: hookRecordOf({ hook, call, run, outcome, startedAt }) })
    answers.push({
      hookId: hook.id,
      answer: outcome.ok ? outcome.answer : undefined,
      problem: outcome.ok ? undefined : outcome.problem,
    })
  }
  return answers
}
