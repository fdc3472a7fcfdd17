/** The same depth limit as for the input of a call. */
export const MAX_LEVELS = 200

/**
 * Whether a parsed value has so many levels that code that reads or writes it might run out of stack. Never recurses
 * deeper than the limit.
 */
export function isTooDeep(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isTooDeep(item, levels - 1)) return true
    return false
  }
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}
