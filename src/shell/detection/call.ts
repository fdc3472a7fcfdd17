import type { Arg } from './arg.js'

/** One command that is about to run: its words, where they begin, and its place in the list. */
export interface Call {
  readonly args: readonly Arg[]
  /** The word that names the program. */
  readonly from: number
  readonly index: number
}
