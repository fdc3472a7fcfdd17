/** The position of a secret in a text: `end` is the offset after its last character. */
export interface FoundSecret {
  start: number
  end: number
  /** A stable id, such as `aws_access_key`. */
  rule: string
}

export type NoteSecret = (start: number, end: number, rule: string) => void

/** Sorted by position; overlapping spans become one, under the rule of the longer of the two. */
export function mergeSpans(spans: FoundSecret[]): FoundSecret[] {
  if (spans.length < 2) return spans
  spans.sort((a, b) => a.start - b.start || b.end - a.end)
  const merged: FoundSecret[] = []
  let last: FoundSecret | undefined
  for (const span of spans) {
    if (last === undefined || span.start >= last.end) {
      last = { ...span }
      merged.push(last)
      continue
    }
    if (span.end - span.start > last.end - last.start) last.rule = span.rule
    last.end = Math.max(last.end, span.end)
  }
  return merged
}
