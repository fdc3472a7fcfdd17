/** What a search comes across, in the order of the payload. */
export type Found =
  | { kind: 'match'; offset: number; length: number }
  /** No match that begins before `upTo` is left to be told. */
  | { kind: 'scanned'; upTo: number }
  /** The pattern did not come to an end on the line at `offset`; what lies before `upTo` was not judged. */
  | { kind: 'slow'; offset: number; upTo: number }
