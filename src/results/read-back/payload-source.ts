/** A position in a payload where a line begins. Lines are counted from 1. */
export interface LineStart {
  offset: number
  line: number
}

/** A sparse index of line starts: it returns the nearest known one at or before the requested line or offset. */
export interface LineIndex {
  /** Text after the last line feed counts as a line; an empty rest does not. */
  readonly lineCount: number
  positionOfLine(line: number): LineStart
  lineAtOffset(offset: number): LineStart
}

/** A stored payload, as reading it back needs it. */
export interface PayloadSource {
  readonly sizeBytes: number
  readonly mediaType: string | undefined
  /** The bytes from `start` up to, not including, `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
  /** Absent for payloads without an index: then lines are counted from the start, up to a limit. */
  readonly lines?: LineIndex | undefined
}
