import type { OutputText } from '../../results/payload-of.js'
import type { DrainedStream } from '../../results/payloads/drain-stream.js'

/** What the result says about hooks, where no other field holds it. */
export interface HookNotes {
  context: readonly string[]
  problems: readonly string[]
}

/** Changed by hooks. */
export interface HookState {
  hookNotes?: HookNotes | undefined
  /** The executor's output, if a hook has replaced it. */
  native: OutputText | undefined
  /** The same, if it was a stream too large to hold in memory. */
  nativeStream?: DrainedStream | undefined
}
