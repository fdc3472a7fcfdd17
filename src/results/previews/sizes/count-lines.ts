/** Line ends, and one more for a last line without an end. */
export function countLines(text: string): number {
  let lines = 0
  let from = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    lines++
    from = at + 1
  }
  return from < text.length ? lines + 1 : lines
}

/** Whether there are more lines than that, without reading further than needed. */
export function hasMoreLines(text: string, maxLines: number): boolean {
  // Even empty lines take one character each.
  if (text.length <= maxLines) return false
  let lines = 0
  let from = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    if (++lines > maxLines) return true
    from = at + 1
    if (lines + text.length - from <= maxLines) return false
  }
  return from < text.length && lines + 1 > maxLines
}
