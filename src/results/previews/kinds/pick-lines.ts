import { maxGapChars, sayRepeats, sayShortGap } from '../cuts/say-gap.js'
import { sayNumber } from '../cuts/say-number.js'
import type { PreviewBody, PreviewBudget } from '../preview-body.js'
import type { Sample } from '../samples/sample.js'
import type { KnownLine } from './known-lines.js'
import { writeLines } from './write-lines.js'

export interface Pick {
  lines: readonly KnownLine[]
  /** The lines to show, by index, the most important first. */
  order: Iterable<number>
  maxLineChars: number
  /** Lines between gaps are shown with their number. */
  isNumbered?: boolean
  /** Gaps are marked in a short form. */
  isTerse?: boolean
  /** How many lines in a row may fail to fit before picking ends. */
  mayMiss?: number
}

/** Shows as many lines as fit, in the order of the text, with a mark for each gap. */
export function pickLines(sample: Sample, room: PreviewBudget, pick: Pick): PreviewBody {
  const { lines, order, maxLineChars, mayMiss = 24 } = pick
  const isChosen = new Uint8Array(lines.length)
  const gapChars = pick.isTerse ? sayShortGap([0, sample.lines]).length + 1 : maxGapChars(sample.lines) + 1
  const numberChars = pick.isNumbered ? sayNumber(sample.lines).length + 2 : 0
  let [chars, rows, gaps, misses] = [0, 0, 1, 0]
  for (const index of order) {
    const line = lines[index]
    if (line === undefined || isChosen[index]) continue
    const repeats = line.lastLine - line.line
    const repeatChars = repeats > 0 ? sayRepeats(repeats).length + 1 : 0
    const charsThen = chars + Math.min(line.text.length, maxLineChars) + 1 + numberChars + repeatChars
    const rowsThen = rows + (repeats > 0 ? 2 : 1)
    const gapsThen = gaps + 1 - sidesTouched(lines, isChosen, { index, total: sample.lines })
    if (charsThen + gapsThen * gapChars > room.chars || rowsThen + gapsThen > room.lines) {
      if (++misses > mayMiss) break
      continue
    }
    isChosen[index] = 1
    ;[chars, rows, gaps, misses] = [charsThen, rowsThen, gapsThen, 0]
  }
  return writeLines(sample, { ...pick, isChosen })
}

/** On how many sides a line touches a shown line or an end of the text: each of them closes a gap. */
function sidesTouched(
  lines: readonly KnownLine[],
  isChosen: Uint8Array,
  { index, total }: { index: number; total: number },
): number {
  const { line, lastLine } = lines[index]!
  const isBelow = line === 1 || (isChosen[index - 1] === 1 && lines[index - 1]!.lastLine === line - 1)
  const isAbove = lastLine >= total || (isChosen[index + 1] === 1 && lines[index + 1]!.line === lastLine + 1)
  return Number(isBelow) + Number(isAbove)
}
