import type { HookDefinition } from '../../hooks/hook.js'
import type { HookOutcome } from '../../hooks/run-hook.js'
import { stricterBehavior } from '../../hooks/stricter-behavior.js'
import type { HookHint } from '../call-state.js'

/** The hint for the judge from a hook's answer or failure. A hook that fails has not allowed the call. */
export function hintOf(hook: HookDefinition, outcome: HookOutcome): HookHint | undefined {
  const hookId = hook.id
  const isAuthoritative = hook.isAuthoritative ?? false
  if (!outcome.ok) {
    const { onFailure = 'ask' } = hook
    if (onFailure === 'continue') return undefined
    return { behavior: onFailure, hookId, message: outcome.problem, isAuthoritative }
  }
  const { permission } = outcome.answer
  if (!permission || permission.behavior === 'passthrough') return undefined
  const behavior = isKnown(permission.behavior) ? permission.behavior : 'ask'
  const message = permission.message ?? `The hook "${hookId}" says ${String(permission.behavior)}.`
  return { behavior, hookId, message: String(message), isAuthoritative }
}

function isKnown(behavior: string): boolean {
  return behavior === 'allow' || behavior === 'ask' || behavior === 'deny'
}

/** The stricter of two hints. */
export function stricterHint(a: HookHint | undefined, b: HookHint | undefined): HookHint | undefined {
  if (!a || !b) return a ?? b
  if (a.behavior === b.behavior) return b.isAuthoritative ? b : a
  return stricterBehavior(a.behavior, b.behavior) === a.behavior ? a : b
}
