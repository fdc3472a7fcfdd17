import type { OutputText } from '../../results/payload-of.js'

/** Changed when the output is mapped. */
export interface MappedState {
  /** The output before redaction, if named actors may read it. */
  original: OutputText | undefined
}
