import type { JudgedInput } from '../../storage/decision-data.js'

/** Changed with every version of the input. */
export interface RecordedInput {
  /** The current version of the input, as records have it. Set before anything is decided. */
  recordedInput: JudgedInput | undefined
}
