export interface Limits {
  readonly maxDepth: number
  readonly maxBytes: number
}

/** The approximate size of a value as JSON, or which limit it exceeds. */
export function measure(value: unknown, { maxDepth, maxBytes }: Limits): number | 'too_deep' | 'too_long' {
  // An explicit stack, no recursion: a value that is too deep must not overflow the call stack.
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
      // Each pending value takes at least as much as a number: an oversized one is found before all of it was visited.
      if (bytes + 4 * open.length > maxBytes) return 'too_long'
      open.push({ value: (part as Record<string, unknown>)[key], depth: depth + 1 })
    }
  }
  return bytes
}
