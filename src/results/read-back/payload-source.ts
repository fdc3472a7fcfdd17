/** A place in a payload where a line is known to begin. Lines are counted from 1. */
export interface LineStart {
  offset: number
  line: number
}

/** A sparse index of line starts: it answers with the nearest one that it knows at or before what was asked. */
export interface LineIndex {
  /** A text after the last line feed counts as a line; nothing after it does not. */
  readonly lineCount: number
  placeOfLine(line: number): LineStart
  lineAtOffset(offset: number): LineStart
}

/** A kept payload, as far as reading it back needs to know it. */
export interface PayloadSource {
  readonly sizeBytes: number
  readonly mediaType: string | undefined
  /** The bytes from `start` up to, not including, `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
  /** Absent for payloads without one: then lines are counted from the start, within a bound. */
  readonly lines?: LineIndex | undefined
}
