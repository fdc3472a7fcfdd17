const MAX_LINES = 200
const MAX_LINE_CHARS = 2_000

/** The last lines of what a program wrote, each cut: a program that writes without end costs no more than that. */
export interface StderrRing {
  write(text: string): void
  lines(): readonly string[]
}

export function createStderrRing(): StderrRing {
  const lines: string[] = []
  let open = ''

  function push(line: string): void {
    lines.push(line.slice(0, MAX_LINE_CHARS))
    if (lines.length > MAX_LINES) lines.shift()
  }

  return {
    write(text) {
      const parts = (open + text).split(/\r?\n/)
      open = parts.pop()!.slice(0, MAX_LINE_CHARS)
      for (const line of parts.slice(-MAX_LINES)) push(line)
    },
    lines: () => (open === '' ? [...lines] : [...lines, open].slice(-MAX_LINES)),
  }
}
