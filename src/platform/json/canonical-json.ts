import { defineKey } from './define-key.js'

/** JSON with sorted keys: equal values give equal texts, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  // A replacer that sorts is slower than sorting the keys of a copy and letting JSON write that.
  return JSON.stringify(sorted(value)) ?? 'null'
}

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  const copy: Record<string, unknown> = {}
  // Keys that look like numbers always come first, in any order of assignment, so their order is stable too.
  for (const key of sortedKeys(value)) {
    const member = sorted((value as Record<string, unknown>)[key])
    // Assigned one by one: a copy from entries takes four times as long.
    if (key === '__proto__') defineKey(copy, key, member)
    else copy[key] = member
  }
  return copy
}

/** Most objects have few keys, and for few of them a call of `sort` takes longer than the sorting. */
const FEW_KEYS = 16

function sortedKeys(value: object): string[] {
  const keys = Object.keys(value)
  if (keys.length > FEW_KEYS) return keys.sort()
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index]!
    let at = index
    for (; at > 0 && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!
    keys[at] = key
  }
  return keys
}
