import { type Gap, describeGap, sayGaps, sayRepeats, sayShortGap } from '../cuts/say-gap.js'
import { sayNumber } from '../cuts/say-number.js'
import { shortenLine } from '../cuts/shorten-line.js'
import type { PreviewBody } from '../preview-body.js'
import type { Sample } from '../samples/sample.js'
import type { KnownLine } from './known-lines.js'

export interface Chosen {
  lines: readonly KnownLine[]
  isChosen: Uint8Array
  maxLineChars: number
  isNumbered?: boolean
  isTerse?: boolean
}

/** The chosen lines in their order, with a mark for each gap. */
export function writeLines(
  sample: Sample,
  { lines, isChosen, maxLineChars, isNumbered = false, isTerse = false }: Chosen,
): PreviewBody {
  const out: string[] = []
  const gaps: Gap[] = []
  let [next, shownChars, cutChars] = [1, 0, 0]
  const endRun = isNumbered ? startOfEndRun(lines, isChosen, sample.lines) : 0

  const show = (line: KnownLine, hasNumber: boolean): void => {
    const short = shortenLine(line.text, maxLineChars)
    const kept = Math.min(short.length, line.text.length)
    const repeats = line.lastLine - line.line
    out.push(hasNumber ? `${sayNumber(line.line)}: ${short}` : short)
    if (repeats > 0) out.push(sayRepeats(repeats))
    shownChars += (kept + 1) * (repeats + 1)
    cutChars += line.text.length - kept
    next = line.lastLine + 1
  }
  const leave = (to: number, first: KnownLine | undefined): void => {
    const gap: Gap = [next, to]
    const mark = isTerse ? sayShortGap(gap) : describeGap(gap)
    const isOnly = first?.line === next && first.lastLine === to && next === to
    const hasNumber = isNumbered && gaps.length > 0 && next > 1 && to < sample.lines
    const numberChars = hasNumber ? sayNumber(to).length + 2 : 0
    // A single line that is no longer than the mark is shown instead of it.
    if (isOnly && Math.min(first.text.length, maxLineChars) + numberChars <= mark.length)
      return show(first, hasNumber)
    gaps.push(gap)
    out.push(mark)
    next = to + 1
  }

  let after = 0
  for (const [index, line] of lines.entries()) {
    if (isChosen[index] !== 1) continue
    if (line.line > next) leave(line.line - 1, lines[after])
    show(line, isNumbered && gaps.length > 0 && index < endRun)
    after = index + 1
  }
  if (next <= sample.lines) leave(sample.lines, lines[after])
  const omittedLines = gaps.reduce((sum, [from, to]) => sum + to - from + 1, 0)
  return {
    body: out.join('\n'),
    leftOut: sayGaps(gaps, cutChars),
    omitted: { chars: Math.max(0, sample.chars - shownChars), lines: omittedLines },
  }
}

/** The line from which everything up to the end is shown: such lines need no number. */
function startOfEndRun(lines: readonly KnownLine[], isChosen: Uint8Array, total: number): number {
  let end = total
  let index = lines.length
  while (index > 0 && isChosen[index - 1] === 1 && lines[index - 1]!.lastLine === end) {
    index--
    end = lines[index]!.line - 1
  }
  return index
}
