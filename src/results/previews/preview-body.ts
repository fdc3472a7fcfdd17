import type { Sample } from './samples/sample.js'

/** The space for the body of a preview, without the footer. */
export interface PreviewBudget {
  chars: number
  lines: number
}

/** The body of a preview, made from the text. */
export interface PreviewBody {
  body: string
  /** What was omitted, for a sentence: "lines 41 to 9,080". Empty when nothing was. */
  leftOut: string
  omitted: { chars: number; lines: number; items?: number }
  /** A description of the whole text, where more than its size is known: "a table of 4 columns and 300 rows". */
  whole?: string
}

/** Parses a sample once; the returned function draws it for several sizes. */
export type PreviewKind = (sample: Sample) => (room: PreviewBudget) => PreviewBody
