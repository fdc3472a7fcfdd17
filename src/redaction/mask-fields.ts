export const MASK = '[redacted]'

/** Replaces values by a mask; the shape stays, so that a record still shows that something was given. */
export type Mask = (value: unknown) => unknown

/** `undefined` when there is nothing to mask. Paths are dotted; `*` matches every member. */
export function compileMask(paths: readonly string[]): Mask | undefined {
  if (paths.length === 0) return undefined
  const routes = paths.map((path) => path.split('.'))
  return (value) => routes.reduce((masked, route) => maskAt(masked, route, 0), value)
}

function maskAt(value: unknown, route: readonly string[], depth: number): unknown {
  if (depth === route.length) return MASK
  if (value === null || value === undefined || typeof value === 'boolean') return value
  // A text or a number where an object belongs: it may be the secret itself, or contain it.
  if (typeof value !== 'object') return MASK
  const key = route[depth]!
  if (Array.isArray(value)) {
    // A path that does not mention the list means each of its members.
    const next = key === '*' ? depth + 1 : depth
    return value.map((item) => maskAt(item, route, next))
  }
  const keys = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : []
  if (keys.length === 0) return value
  const copy: Record<string, unknown> = { ...value }
  for (const each of keys) copy[each] = maskAt(copy[each], route, depth + 1)
  return copy
}

/** The texts and numbers at the masked paths, so that they are found where they appear in messages and outputs. */
export function collectSecrets(value: unknown, paths: readonly string[]): string[] {
  const found = new Set<string>()
  for (const path of paths) collectAt(value, path.split('.'), 0, found)
  return [...found].sort((a, b) => b.length - a.length)
}

/** Shorter ones would be found in any text. */
export const SHORTEST_SECRET = 4

function collectAt(value: unknown, route: readonly string[], depth: number, found: Set<string>): void {
  if (depth >= route.length || typeof value !== 'object') {
    collectLeaves(value, found)
    return
  }
  if (value === null) return
  const key = route[depth]!
  if (Array.isArray(value)) {
    for (const item of value) collectAt(item, route, key === '*' ? depth + 1 : depth, found)
  } else if (key === '*') {
    for (const member of Object.values(value)) collectAt(member, route, depth + 1, found)
  } else if (Object.hasOwn(value, key)) {
    collectAt((value as Record<string, unknown>)[key], route, depth + 1, found)
  }
}

function collectLeaves(value: unknown, found: Set<string>): void {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collectLeaves(member, found)
  } else if (value !== null && value !== undefined && typeof value !== 'boolean') {
    const text = String(value)
    if (text.length >= SHORTEST_SECRET) found.add(text)
  }
}

/**
 * For inputs of an unknown tool, whose sensitive fields are unknown too: keeps the shape, masks every text and number.
 */
export function maskTexts(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return MASK
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(maskTexts)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskTexts(member)]))
}
