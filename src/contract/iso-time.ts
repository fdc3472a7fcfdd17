let lastMs = -1
let lastText = ''

/** Milliseconds as an ISO 8601 text. Many records share a millisecond, and formatting costs more than the record. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}
