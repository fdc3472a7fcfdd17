import type { Sample } from '../samples/sample.js'

/** A line of a sample, or several equal ones in a row. */
export interface KnownLine {
  line: number
  /** The last of equal lines in a row; otherwise the same as `line`. */
  lastLine: number
  text: string
}

/** The lines of a sample, in order: those of the head, the error lines, those of the tail. */
export function knownLines(sample: Sample): KnownLine[] {
  if (sample.isWhole) return linesOf(sample.head, 1)
  const head = linesOf(sample.head, 1)
  // The last line is truncated; it is dropped unless it is the only one.
  if (head.length > 1 && !sample.head.endsWith('\n')) head.pop()
  const tail = linesOfTail(sample)
  const lastOfHead = head.at(-1)?.line ?? 0
  const firstOfTail = tail[0]?.line ?? Infinity
  const between = sample.errorLines
    .filter(({ line }) => line > lastOfHead && line < firstOfTail)
    .map(({ line, text }) => ({ line, lastLine: line, text }))
  return [...head, ...between, ...tail.filter(({ line }) => line > lastOfHead)]
}

/** Merges lines that repeat the one before. */
export function foldRepeats(lines: readonly KnownLine[]): KnownLine[] {
  const folded: KnownLine[] = []
  for (const line of lines) {
    const before = folded.at(-1)
    if (before !== undefined && before.text === line.text && before.lastLine + 1 === line.line)
      folded[folded.length - 1] = { ...before, lastLine: line.lastLine }
    else folded.push(line)
  }
  return folded
}

function linesOfTail({ tail, lines }: Sample): KnownLine[] {
  const found = linesOf(tail, 1)
  const shift = lines - found.length
  return found.slice(1).map(({ line, text }) => ({ line: line + shift, lastLine: line + shift, text }))
}

function linesOf(text: string, firstLine: number): KnownLine[] {
  const found: KnownLine[] = []
  let from = 0
  let line = firstLine
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    found.push({ line, lastLine: line, text: text.slice(from, at) })
    from = at + 1
    line++
  }
  if (from < text.length) found.push({ line, lastLine: line, text: text.slice(from) })
  return found
}
