/** One `*` is any run of characters. Unlike in paths, `*` also matches slashes and spaces. */
export function toTextTest(pattern: string): (text: string) => boolean {
  // Runs of `*` become one: each further one would multiply the ways to match.
  const parts = pattern.split(/\*+/)
  if (parts.length === 1) return (text) => text === pattern
  const first = parts[0]!
  const last = parts.at(-1)!
  const middle = parts.slice(1, -1)
  return (text) => {
    if (text.length < first.length + last.length) return false
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    let from = first.length
    const end = text.length - last.length
    for (const part of middle) {
      const at = text.indexOf(part, from)
      if (at === -1 || at + part.length > end) return false
      from = at + part.length
    }
    return true
  }
}
