import type { HookEvent } from '../../foundation/contract/unions.js'
import type { HookDefinition } from '../../judgement/hooks/hook.js'
import { compileNamePatterns } from '../../supply/surface/name-pattern.js'
import type { CallRun } from './call-run.js'

const matchers = new WeakMap<HookDefinition, ReturnType<typeof compileNamePatterns>>()

/** The hooks of one event that speak about this tool, in the order in which they were configured. */
export function hooksFor({ world, tool }: CallRun, event: HookEvent): HookDefinition[] {
  return world.hooks.filter((hook) => {
    if (hook.event !== event) return false
    if (!hook.tools) return true
    let matches = matchers.get(hook)
    if (!matches) matchers.set(hook, (matches = compileNamePatterns(hook.tools)))
    return matches(tool!)
  })
}
