/** JSON with sorted keys: the same value gives the same text, whoever built it and in which order. */
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
  // Keys that look like numbers come first whatever the order they are set in, and so always in the same one.
  return Object.fromEntries(entries)
}
