export interface Limits {
  readonly maxDepth: number
  readonly maxBytes: number
}

/** About how many bytes a value takes as JSON, or why it is more than anybody should work on. */
export function measure(value: unknown, { maxDepth, maxBytes }: Limits): number | 'too_deep' | 'too_long' {
  // A list of its own and no recursion: what is too deep must not end the one who finds it out.
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  let bytes = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: part, depth } = next
    bytes += typeof part === 'string' ? Buffer.byteLength(part) + 2 : 4
    if (bytes > maxBytes) return 'too_long'
    if (typeof part !== 'object' || part === null) continue
    if (depth >= maxDepth) return 'too_deep'
    const isList = Array.isArray(part)
    for (const key in part) {
      if (!isList) bytes += Buffer.byteLength(key) + 3
      // Each that waits takes as much as a number: what is too long is known before all of it was looked at.
      if (bytes + 4 * open.length > maxBytes) return 'too_long'
      open.push({ value: (part as Record<string, unknown>)[key], depth: depth + 1 })
    }
  }
  return bytes
}
