import type { HookDefinition } from './hook.js'

/** Numbered hooks first, by their number; the others after them, as they were configured. */
export function orderHooks(hooks: readonly HookDefinition[]): HookDefinition[] {
  const place = ({ order }: HookDefinition): number => order ?? Number.MAX_VALUE
  return hooks.toSorted((a, b) => place(a) - place(b))
}
