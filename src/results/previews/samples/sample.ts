export interface ErrorLine {
  /** Counted from 1. */
  line: number
  text: string
  /** How many similar lines there were: equal except for numbers. */
  times?: number
}

/** What a preview needs from a text, in bounded memory. */
export interface Sample {
  head: string
  /** The last characters; empty when the head is the whole text. May overlap with the head. */
  tail: string
  isWhole: boolean
  chars: number
  bytes: number
  lines: number
  /** Error lines, and the first frames of their traces, in order. */
  errorLines: readonly ErrorLine[]
  longestLine: number
  hasBinary: boolean
}
