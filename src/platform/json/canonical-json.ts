/** JSON with sorted keys: equal values give equal texts, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  // A replacer that sorts is slower than sorting the keys of a copy and letting JSON write that.
  return JSON.stringify(sorted(value)) ?? 'null'
}

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries: [string, unknown][] = Object.keys(value)
    .sort()
    .map((key) => [key, sorted((value as Record<string, unknown>)[key])])
  // Keys that look like numbers always come first, in any order of assignment, so their order is stable too.
  return Object.fromEntries(entries)
}
