export type LineEnding = 'lf' | 'crlf'

/** How most lines of a text end; undefined for a text of one line. */
export function lineEndingOf(text: string): LineEnding | undefined {
  let crlf = 0
  let lf = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (text.charCodeAt(at - 1) === 13) crlf++
    else lf++
  }
  if (crlf + lf === 0) return undefined
  return crlf > lf ? 'crlf' : 'lf'
}

/** The text with the line endings of a file. A text that has carriage returns itself stays as it is. */
export function withLineEnding(text: string, ending: LineEnding | undefined): string {
  return ending === 'crlf' && !text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
}
