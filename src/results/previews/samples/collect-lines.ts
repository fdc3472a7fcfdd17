import { withoutHalfAtEnd } from './without-half.js'

const LINE_CHARS = 2000

/** Calls back for each line, with only the beginning of a long one; chunk boundaries do not matter. */
export function collectLines(onLine: (line: number, text: string) => void): {
  push(text: string): void
  end(): { lines: number; longestLine: number }
} {
  let lines = 0
  let longestLine = 0
  let open = ''
  let openChars = 0

  const close = (): void => {
    lines++
    if (openChars > longestLine) longestLine = openChars
    onLine(lines, openChars > open.length ? withoutHalfAtEnd(open) : open)
    open = ''
    openChars = 0
  }
  const extend = (text: string, from: number, to: number): void => {
    openChars += to - from
    const room = LINE_CHARS - open.length
    if (room > 0) open += text.slice(from, Math.min(to, from + room))
  }

  return {
    push(text) {
      let from = 0
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
        extend(text, from, at)
        close()
        from = at + 1
      }
      if (from < text.length) extend(text, from, text.length)
    },
    end() {
      if (openChars > 0) close()
      return { lines, longestLine }
    },
  }
}
