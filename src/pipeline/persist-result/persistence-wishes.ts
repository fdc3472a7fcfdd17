import { cleanText } from '../secrets/clean.js'
import type { HookPersistence } from '../../hooks/hook.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { consultHooks, type Consulted } from '../hooks/consult-hooks.js'
import { noteHookProblem } from '../hooks/hook-notes.js'

/** What the hooks want to become of a result, all of them together. */
export interface PersistenceWishes {
  /** Nobody may have it, and the call ends with an error. */
  withheld?: string
  /** Nobody may have it. */
  dropped?: Wish
  /** Without fields: all of it. */
  redacted?: Wish & { fields: readonly string[] | undefined }
  /** The caller may have it; the log may not. */
  notKept?: Wish
}

export interface Wish {
  reason: string
  by: string
}

/** Asks the hooks that may keep a result from being kept. One that breaks has not agreed to its being kept. */
export async function persistenceWishes(
  call: CallState,
  run: CallRun,
  output: unknown,
): Promise<PersistenceWishes> {
  const wishes: PersistenceWishes = {}
  for (const each of await consultHooks('result_persistence', call, run, { output })) {
    if (each.outcome.ok) addAnswer(wishes, each, run)
    else addFailure(wishes, each, run)
  }
  return wishes
}

function addAnswer(wishes: PersistenceWishes, { hook, outcome }: Consulted, run: CallRun): void {
  if (!outcome.ok) return
  const { stop, persistence } = outcome.answer
  if (stop) wishes.withheld ??= `The hook "${hook.id}" forbids keeping the result: ${stop.reason}`
  if (persistence) addWish(wishes, persistence, { id: hook.id, run })
}

function addFailure(wishes: PersistenceWishes, { hook, outcome }: Consulted, run: CallRun): void {
  if (outcome.ok || hook.onFailure === 'continue') return
  if (hook.onFailure === 'deny') {
    wishes.withheld ??= outcome.problem
    return
  }
  noteHookProblem(run, outcome.problem)
  const reason = cleanText(outcome.problem, run)
  wishes.notKept ??= { reason, by: `hook:${hook.id}` }
}

function addWish(
  wishes: PersistenceWishes,
  { strategy, reason: given, fields }: HookPersistence,
  { id, run }: { id: string; run: CallRun },
): void {
  const wish: Wish = { reason: cleanText(given, run), by: `hook:${id}` }
  switch (strategy) {
    case 'drop_with_reason':
      wishes.dropped ??= wish
      break
    case 'never_persist':
      wishes.notKept ??= wish
      break
    case 'redact': {
      const before = wishes.redacted
      // All of it is more than any of its fields.
      const all = fields === undefined || (before !== undefined && before.fields === undefined)
      wishes.redacted = {
        ...(before ?? wish),
        fields: all ? undefined : [...(before?.fields ?? []), ...fields],
      }
      break
    }
  }
}
