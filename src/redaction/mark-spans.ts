import { MARK } from './mask-marks.js'

export interface MarkSpan {
  start: number
  end: number
}

/** The offsets of the marks of secrets in a text. */
export function markSpans(text: string): MarkSpan[] {
  if (!text.includes('[redacted')) return []
  // A copy: other users of the pattern change its lastIndex.
  return [...text.matchAll(new RegExp(MARK, 'g'))].map(({ index, 0: mark }) => ({
    start: index,
    end: index + mark.length,
  }))
}
