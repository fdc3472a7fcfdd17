/** Results of a search, in the order of the payload. */
export type Found =
  | { kind: 'match'; offset: number; length: number }
  /** All matches that begin before `upTo` have been reported. */
  | { kind: 'scanned'; upTo: number }
  /** The pattern took too long on the line at `offset`; the text before `upTo` was not searched. */
  | { kind: 'slow'; offset: number; upTo: number }
