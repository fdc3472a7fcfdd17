import { cleanText } from '../secrets/clean.js'
import type { HookPersistence } from '../../hooks/hook.js'
import type { PersistRun } from './persist-ports.js'
import type { CallState } from '../call-state.js'
import { consultHooks, type Consulted } from '../hooks/consult-hooks.js'
import { noteHookProblem } from '../hooks/hook-notes.js'

/** What all hooks together require for storing a result. */
export interface PersistenceRequirements {
  /** The result is withheld, and the call ends with an error. */
  withheld?: string
  /** The output is removed from the result. */
  dropped?: Requirement
  /** Without fields: the whole output. */
  redacted?: Requirement & { fields: readonly string[] | undefined }
  /** The caller may have the output; the log may not. */
  notKept?: Requirement
}

export interface Requirement {
  reason: string
  by: string
}

/**
 * Asks the hooks that may restrict storing a result. A failed hook counts as one that forbids it, unless its
 * `onFailure` says otherwise.
 */
export async function persistenceRequirements(
  call: CallState,
  run: PersistRun,
  output: unknown,
): Promise<PersistenceRequirements> {
  const requirements: PersistenceRequirements = {}
  for (const each of await consultHooks('result_persistence', call, run, { output })) {
    if (each.outcome.ok) addAnswer(requirements, each, run)
    else addFailure(requirements, each, run)
  }
  return requirements
}

function addAnswer(
  requirements: PersistenceRequirements,
  { hook, outcome }: Consulted,
  run: PersistRun,
): void {
  if (!outcome.ok) return
  const { stop, persistence } = outcome.answer
  if (stop) requirements.withheld ??= `The hook "${hook.id}" forbids keeping the result: ${stop.reason}`
  if (persistence) addRequirement(requirements, persistence, { id: hook.id, run })
}

function addFailure(
  requirements: PersistenceRequirements,
  { hook, outcome }: Consulted,
  run: PersistRun,
): void {
  if (outcome.ok || hook.onFailure === 'continue') return
  if (hook.onFailure === 'deny') {
    requirements.withheld ??= outcome.problem
    return
  }
  noteHookProblem(run, outcome.problem)
  const reason = cleanText(outcome.problem, run)
  requirements.notKept ??= { reason, by: `hook:${hook.id}` }
}

function addRequirement(
  requirements: PersistenceRequirements,
  { strategy, reason: given, fields }: HookPersistence,
  { id, run }: { id: string; run: PersistRun },
): void {
  const requirement: Requirement = { reason: cleanText(given, run), by: `hook:${id}` }
  switch (strategy) {
    case 'drop_with_reason':
      requirements.dropped ??= requirement
      break
    case 'never_persist':
      requirements.notKept ??= requirement
      break
    case 'redact': {
      const before = requirements.redacted
      // The whole output includes all of its fields.
      const all = fields === undefined || (before !== undefined && before.fields === undefined)
      requirements.redacted = {
        ...(before ?? requirement),
        fields: all ? undefined : [...(before?.fields ?? []), ...fields],
      }
      break
    }
  }
}
