import type { Arg } from './arg.js'

/** One command before it runs: its words, where they begin, and its index in the list. */
export interface Call {
  readonly args: readonly Arg[]
  /** The word that names the program. */
  readonly from: number
  readonly index: number
}
