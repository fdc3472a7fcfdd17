import { defineKey } from './define-key.js'

/** A copy that its receiver may change. The value must be JSON. */
export function mutableCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(mutableCopy)
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = mutableCopy((value as Record<string, unknown>)[key])
    if (key === '__proto__') defineKey(result, key, member)
    else result[key] = member
  }
  return result
}
