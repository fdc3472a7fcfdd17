import { isOwn } from './is-own.js'

/** Whether two JSON values are the same. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameJson(item, b[index]))
    )
  }
  let count = 0
  // `for…in` rather than a list of keys: this runs in every call, and would allocate the list each time.
  for (const key in a) {
    if (!isOwn(a, key)) continue
    if (!isOwn(b, key)) return false
    if (!sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) return false
    count++
  }
  for (const key in b) if (isOwn(b, key)) count--
  return count === 0
}
