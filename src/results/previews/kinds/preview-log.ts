import { sayCount } from '../cuts/say-number.js'
import type { PreviewKind } from '../preview-body.js'
import { foldRepeats, type KnownLine, knownLines } from './known-lines.js'
import { lineLimit } from './line-limit.js'
import { pickLines } from './pick-lines.js'

const FIRST_LINES = 5
const LAST_LINES = 12
const ERROR_SHARE = 0.45

/** Head and tail with the error lines between them, each with its number; repeated lines are merged. */
export const previewLog: PreviewKind = (sample) => {
  const folded = foldRepeats(knownLines(sample).map(asOnScreen))
  const times = new Map(sample.errorLines.map((error) => [error.line, error.times ?? 1]))
  const lines = folded.map((line) => withTimes(line, times.get(line.line) ?? 1))
  const errors = indexesOf(lines, sample.errorLines)
  return (room) => {
    const maxLineChars = lineLimit(room)
    const forErrors = chosenErrors(lines, errors, { chars: room.chars * ERROR_SHARE, maxLineChars })
    return pickLines(sample, room, {
      lines,
      order: order(lines, forErrors),
      maxLineChars,
      isNumbered: true,
      mayMiss: 6,
    })
  }
}

/** The final state of a line that was overwritten, as by a progress bar. */
function asOnScreen(line: KnownLine): KnownLine {
  const end = line.text.endsWith('\r') ? line.text.length - 1 : line.text.length
  const at = line.text.lastIndexOf('\r', end - 1)
  return at === -1 || end === 0 ? line : { ...line, text: line.text.slice(at + 1) }
}

/** A repeated error is shown once, with its count. */
function withTimes(line: KnownLine, times: number): KnownLine {
  const more = times - (line.lastLine - line.line + 1)
  return more > 0
    ? { ...line, text: `${line.text} [… ${sayCount(more, 'line')} like this elsewhere …]` }
    : line
}

function indexesOf(lines: readonly KnownLine[], errors: readonly { line: number }[]): number[] {
  const found: number[] = []
  let index = 0
  for (const { line } of errors) {
    while (index < lines.length && lines[index]!.lastLine < line) index++
    if (index < lines.length && lines[index]!.line <= line && found.at(-1) !== index) found.push(index)
  }
  return found
}

/** The first error often is the cause and the last the outcome: they are chosen from both ends. */
function chosenErrors(
  lines: readonly KnownLine[],
  errors: readonly number[],
  { chars, maxLineChars }: { chars: number; maxLineChars: number },
): number[] {
  const chosen: number[] = []
  let left = chars
  let [first, last] = [0, errors.length - 1]
  while (first <= last && left > 0) {
    // Two from the front for each one from the back: traces follow their error.
    const index = chosen.length % 3 === 2 ? errors[last--]! : errors[first++]!
    left -= Math.min(lines[index]!.text.length, maxLineChars) + 1
    if (left > 0) chosen.push(index)
  }
  return chosen
}

function* order(lines: readonly KnownLine[], errors: readonly number[]): Generator<number> {
  const last = lines.length - 1
  yield 0
  for (let back = 0; back < 3; back++) yield last - back
  yield* errors.slice(0, 6)
  for (let at = 0; at < FIRST_LINES; at++) yield at
  for (let back = 0; back < LAST_LINES; back++) yield last - back
  yield* errors
  // The end of a command's output matters most: the tail grows twice as fast.
  let [head, tail] = [FIRST_LINES, last - LAST_LINES]
  while (head <= tail) {
    yield tail--
    if (head <= tail) yield tail--
    if (head <= tail) yield head++
  }
}
