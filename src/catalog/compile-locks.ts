import { argumentAt } from '../policy/patterns/argument-condition.js'
import type { ResourceLock } from './resource-lock.js'
import type { ResourceKey, ToolDraft } from './tool-draft.js'

/** If the lock function fails, the call locks its whole tool: no other call of the tool runs in parallel. */
const unknownReach = (toolId: string): ResourceKey[] => [{ key: `tool:${toolId}`, access: 'write' }]

/** The locks of a call, for tools that have any. Keys are sorted and unique. */
export function compileLocks(draft: ToolDraft): ((input: unknown) => readonly ResourceLock[]) | undefined {
  const { locks } = draft
  const { pathFields } = draft.input
  const toolId = draft.toolId ?? `${draft.namespace}.${draft.name}`
  if (locks === undefined && pathFields.length === 0) return undefined
  if (Array.isArray(locks) && pathFields.length === 0) {
    const fixed = toLocks(locks)
    return () => fixed
  }
  return (input) => {
    const keys: ResourceKey[] = []
    for (const { field, access } of pathFields) {
      const path = argumentAt(input, field)
      if (typeof path === 'string') keys.push({ key: `path:${path}`, access })
    }
    if (typeof locks === 'function') keys.push(...askLocks(locks, input, toolId))
    else if (Array.isArray(locks)) keys.push(...locks)
    return toLocks(keys)
  }
}

function askLocks(
  locks: (input: never) => readonly ResourceKey[],
  input: unknown,
  toolId: string,
): readonly ResourceKey[] {
  try {
    const keys: unknown = (locks as (input: unknown) => unknown)(input)
    return Array.isArray(keys) && keys.every(isKey) ? keys : unknownReach(toolId)
  } catch {
    return unknownReach(toolId)
  }
}

export function isKey(given: unknown): given is ResourceKey {
  if (typeof given !== 'object' || given === null || !('key' in given) || !('access' in given)) return false
  return (
    typeof given.key === 'string' && given.key !== '' && (given.access === 'read' || given.access === 'write')
  )
}

function toLocks(keys: readonly ResourceKey[]): readonly ResourceLock[] {
  const modes = new Map<string, ResourceLock['mode']>()
  for (const { key, access } of keys) {
    if (access !== 'read') modes.set(key, 'exclusive')
    else if (!modes.has(key)) modes.set(key, 'shared')
  }
  return [...modes].map(([key, mode]) => ({ key, mode })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
}
