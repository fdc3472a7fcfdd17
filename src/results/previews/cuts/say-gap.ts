import { sayCount, sayNumber } from './say-number.js'

export type Gap = readonly [from: number, to: number]

function sayRange([from, to]: Gap): string {
  return from === to ? `line ${sayNumber(from)}` : `lines ${sayNumber(from)} to ${sayNumber(to)}`
}

/** The line that stands for lines that were left out. */
export function sayGap(gap: Gap): string {
  return `[… ${sayRange(gap)} left out …]`
}

/** The same where many are needed and the numbers of the lines matter less. */
export function sayShortGap([from, to]: Gap): string {
  return `[… ${sayCount(to - from + 1, 'line')} …]`
}

/** How long such a line gets at most. */
export function maxGapChars(lines: number): number {
  return '[… lines  to  left out …]'.length + 2 * sayNumber(lines).length
}

export function sayRepeats(times: number): string {
  return times === 1
    ? '[… the line before once more …]'
    : `[… the line before ${sayNumber(times)} times more …]`
}

/** All that was left out, for a sentence. */
export function sayGaps(gaps: readonly Gap[], cutChars: number): string {
  const inLines = cutChars > 0 ? `${sayCount(cutChars, 'character')} within long lines` : ''
  if (gaps.length === 0) return inLines
  const lines = gaps.reduce((sum, [from, to]) => sum + to - from + 1, 0)
  const places =
    gaps.length > 3
      ? `${sayCount(lines, 'line')} in ${sayNumber(gaps.length)} places`
      : gaps.map(sayRange).join(', ')
  return inLines === '' ? places : `${places}, and ${inLines}`
}
