import { createRedactor } from '../../../redaction/redactor.js'

const MAX_LINES = 200
const MAX_LINE_CHARS = 2_000
/** Masked before truncation: half of a secret would not be recognized. */
const MAX_OPEN_CHARS = 8_000

/**
 * The last lines that a program wrote, each truncated: endless output costs no more than that. Secrets are masked
 * before a line is kept: programs print their settings and failed requests.
 */
export interface StderrRing {
  write(text: string): void
  lines(): readonly string[]
  /** The program is restarted: earlier lines belong to another run. */
  begin(): void
  /** The lines of this run. */
  recent(): readonly string[]
}

export function createStderrRing(): StderrRing {
  const redactor = createRedactor({ patterns: true })
  const stream = redactor.stream()
  const lines: string[] = []
  let fresh = 0
  /** The unfinished line, as it came. */
  let open = ''
  /** The unfinished line, masked so far. */
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
