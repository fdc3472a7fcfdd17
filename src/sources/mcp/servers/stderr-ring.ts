import { createRedactor } from '../../../redaction/redactor.js'

const MAX_LINES = 200
const MAX_LINE_CHARS = 2_000
/** Read before it is cut: half of a secret would not be known for one. */
const MAX_OPEN_CHARS = 8_000

/**
 * The last lines of what a program wrote, each cut: a program that writes without end costs no more than that. What looks like
 * a secret is hidden before a line is kept: programs print their settings and the requests that failed.
 */
export interface StderrRing {
  write(text: string): void
  lines(): readonly string[]
  /** The program is started anew: what was written so far is of another run. */
  begin(): void
  /** Those of this run. */
  recent(): readonly string[]
}

export function createStderrRing(): StderrRing {
  const redactor = createRedactor({ patterns: true })
  const stream = redactor.stream()
  const lines: string[] = []
  let fresh = 0
  /** The line that has not ended, as it came. */
  let open = ''
  /** The same of what was hidden so far. */
  let clean = ''

  function push(line: string): void {
    lines.push(line.slice(0, MAX_LINE_CHARS))
    fresh++
    if (lines.length > MAX_LINES) lines.shift()
  }

  function openLine(): string[] {
    return open === '' ? [] : [redactor.text(open).slice(0, MAX_LINE_CHARS)]
  }

  return {
    write(text) {
      open = (open + text).slice((open + text).lastIndexOf('\n') + 1).slice(0, MAX_OPEN_CHARS)
      const parts = (clean + stream.push(text)).split(/\r?\n/)
      clean = parts.pop()!
      for (const line of parts.slice(-MAX_LINES)) push(line)
    },
    lines: () => [...lines, ...openLine()].slice(-MAX_LINES),
    begin() {
      fresh = 0
    },
    recent: () => [...lines.slice(Math.max(0, lines.length - fresh)), ...openLine()],
  }
}
