import type { ToolError } from '../contract/objects/tool-error.js'
import type { AbortReason } from '../contract/unions.js'
import type { CallRow } from '../storage/store.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { Slot } from './claim.js'

/** What a rateLimits looks at of a call. It is known by this very object from its asking to its end. */
export interface LimitedCall {
  readonly row: Readonly<CallRow>
  /** Known by the time anyone asks. */
  readonly tool: CatalogTool | undefined
  readonly cancelReason: AbortReason | undefined
  /** Set where it has run before and is to run once more. */
  readonly retrying: object | undefined
}

/** `undefined`: come in. Otherwise ask again after the wait, or go away with the error. */
export type Admission = undefined | { waitMs: number } | { refuse: ToolError }

/** How many calls may come, in what time, and whether their source is well. Absent where nothing is limited. */
export interface RateLimits {
  /** Whether anything is limited for calls of this kind: those of which nothing is are not asked about again. */
  concerns(call: LimitedCall): boolean
  /** The slots that a call takes while it runs. */
  slots(call: LimitedCall): readonly Slot[]
  /** Whether a call whose turn has come may start now. Counts it when it may. */
  ask(call: LimitedCall): Admission | Promise<Admission>
  /** A call that was let in has left its executor, well or with this error; or, where it has not run, never gets there. */
  ended(call: LimitedCall, how: { hasRun: boolean; error: ToolError | undefined }): void
}
