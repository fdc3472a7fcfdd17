import type { Sample } from './samples/sample.js'

/** What a drawing may use, without the sentence that is put below it. */
export interface Room {
  chars: number
  lines: number
}

/** The part of a preview that comes from the text. */
export interface Drawn {
  body: string
  /** What was left out, for a sentence: "lines 41 to 9,080". Empty when nothing was. */
  leftOut: string
  omitted: { chars: number; lines: number; items?: number }
  /** What the text is as a whole, where more is known than its size: "a table of 4 columns and 300 rows". */
  whole?: string
}

/** Reads a sample once; the drawer may then be asked for several sizes. */
export type Kind = (sample: Sample) => (room: Room) => Drawn
