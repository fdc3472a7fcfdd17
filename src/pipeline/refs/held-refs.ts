import type { Verdict } from '../../policy/decision.js'
import type { RefContent } from './ref-reader.js'

/** The content of one input's refs. */
export interface HeldRefs {
  /** Refs that are passed as values; each is read once, however often it occurs. */
  contents: ReadonlyMap<string, RefContent>
  /** Refs that are passed as files. */
  files: ReadonlySet<string>
  /** Set if reading one of them with the reading tool would require approval. */
  asks: Verdict | undefined
}

/**
 * Set when refs are read; removed when a check changes the input, when the call is not allowed, and when it has run.
 */
export interface RefState {
  /** The content of its input's refs, while it is judged and run. Never recorded. */
  refs: HeldRefs | 'none' | undefined
}
