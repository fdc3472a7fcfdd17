import { isOwn } from './is-own.js'

/** Whether two JSON values are the same. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameItems(a, b)
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

// A function of its own: the one above would make room for what the closure reads at each call.
function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
}
