import type { HookDefinition } from '../../hooks/hook.js'
import type { HookedRun } from './hook-ports.js'
import type { CallState, HookHint } from '../call-state.js'
import { consultHooks, type Consulted } from './consult-hooks.js'
import { hintOf, stricterHint } from './hook-hint.js'
import { noteHookProblem } from './hook-notes.js'

/** The joint answer of the hooks that may answer in the approver's place. */
export interface RequestHint {
  hint: HookHint | undefined
  /** The input that an allow was given for, if it is another one. */
  rewrite: { hook: HookDefinition; to: unknown } | undefined
}

/** The strictest hint. An allow for another input counts only for that input, and only one hook may replace it. */
export async function requestHint(call: CallState, run: HookedRun): Promise<RequestHint> {
  const consulted = await consultHooks('permission_request', call, run)
  const rewrites = consulted.flatMap(({ hook, outcome }) =>
    outcome.ok && outcome.answer.updatedInput !== undefined
      ? [{ hook, to: outcome.answer.updatedInput }]
      : [],
  )
  const hints = consulted.map((each) => hintFrom(each, run))
  if (rewrites.length > 1) hints.push(tooMany(rewrites, run))
  const hint = hints.reduce(stricterHint, undefined)
  return {
    // The strictest hook wins across events too: no hook here allows what a hook before the call asked about.
    hint: hint && { ...hint, isAuthoritative: hint.isAuthoritative && call.hookHint?.behavior !== 'ask' },
    rewrite: rewrites[0],
  }
}

function hintFrom({ hook, outcome }: Consulted, run: HookedRun): HookHint | undefined {
  const hint = hintOf(hook, outcome)
  if (!outcome.ok) return hint
  const { stop, updatedInput } = outcome.answer
  if (stop) return { behavior: 'deny', hookId: hook.id, message: stop.reason, isAuthoritative: false }
  if (updatedInput === undefined || hint?.behavior === 'deny' || hint?.behavior === 'allow') return hint
  const message = `The hook "${hook.id}" wants another input without allowing it; at permission_request both go together.`
  return asking(hook.id, message, run)
}

function tooMany(rewrites: readonly { hook: HookDefinition }[], run: HookedRun): HookHint {
  const names = rewrites.map(({ hook }) => `"${hook.id}"`).join(' and ')
  return asking(
    rewrites[0]!.hook.id,
    `The hooks ${names} each want another input; let only one of them.`,
    run,
  )
}

function asking(hookId: string, message: string, run: HookedRun): HookHint {
  noteHookProblem(run, message)
  return { behavior: 'ask', hookId, message, isAuthoritative: false }
}
