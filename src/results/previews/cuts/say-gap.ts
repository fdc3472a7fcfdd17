import { sayCount, sayNumber } from './say-number.js'

export type Gap = readonly [from: number, to: number]

function sayRange([from, to]: Gap): string {
  return from === to ? `line ${sayNumber(from)}` : `lines ${sayNumber(from)} to ${sayNumber(to)}`
}

/** The line that replaces omitted lines. */
export function describeGap(gap: Gap): string {
  return `[… ${sayRange(gap)} left out …]`
}

/** A shorter form for previews with many gaps, where line numbers matter less. */
export function sayShortGap([from, to]: Gap): string {
  return `[… ${sayCount(to - from + 1, 'line')} …]`
}

/** The maximum length of such a line. */
export function maxGapChars(lines: number): number {
  return '[… lines  to  left out …]'.length + 2 * sayNumber(lines).length
}

export function sayRepeats(times: number): string {
  return times === 1
    ? '[… the line before once more …]'
    : `[… the line before ${sayNumber(times)} times more …]`
}

/** All omitted parts, for a sentence. */
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
