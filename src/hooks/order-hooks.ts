import type { HookDefinition } from './hook.js'

/** Numbered hooks first, by number; then the others in configured order. */
export function orderHooks(hooks: readonly HookDefinition[]): HookDefinition[] {
  const place = ({ order }: HookDefinition): number => order ?? Number.MAX_VALUE
  return hooks.toSorted((a, b) => place(a) - place(b))
}
