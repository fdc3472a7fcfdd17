/** The schema's parsed value. Changed by the checks. */
export interface CheckedInput {
  /** The parsed value of `parsedFrom`. It may hold more than JSON: dates, class instances. */
  parsedValue: unknown
  parsedFrom: unknown
  /** A schema from another party was unusable, or did not finish in time. */
  isInputUnchecked: boolean
}
