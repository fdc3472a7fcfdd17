import type { HookDefinition } from './hook.js'
import { checkHook } from './check-hook.js'

/** A hook from a function. */
export function defineHook(hook: HookDefinition): HookDefinition {
  checkHook(hook)
  return hook
}
