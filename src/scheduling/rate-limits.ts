import type { WaitsFor } from '../contract/describe-wait.js'
import type { ToolError } from '../contract/objects/tool-error.js'
import type { AbortReason } from '../contract/unions.js'
import type { CallRow } from '../storage/store.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { SurfaceRequest } from '../surfaces/surface-request.js'
import type { Slot } from './claim.js'

/** What the limits need of a call. The same object identifies the call from `ask` to `ended`. */
export interface LimitedCall {
  readonly row: Readonly<CallRow>
  /** Set before the limits are asked. */
  readonly tool: CatalogTool | undefined
  /** Its surface may have limits of its own. */
  readonly surface: { readonly request: Pick<SurfaceRequest, 'maxCallsPerRun' | 'agent'> }
  readonly cancelReason?: AbortReason | undefined
  /** Set if this is a retry. */
  readonly retrying?: object | undefined
}

/** `undefined`: admitted. Otherwise: ask again after the wait, or refused with the error. */
export type Admission = undefined | { waitMs: number; waitsFor: WaitsFor } | { refuse: ToolError }

/** Rate limits, budgets and circuit breakers. */
export interface RateLimits {
  /** Whether any limit applies to the call. If not, `ask` is not called for it. */
  concerns(call: LimitedCall): boolean
  /** The slots that a call takes while it runs. */
  slots(call: LimitedCall): readonly Slot[]
  /** Whether a call whose turn has come may start now. An admitted call is counted. */
  ask(call: LimitedCall): Admission | Promise<Admission>
  /** An admitted call has left its executor, with or without an error; or it ends without having run. */
  ended(call: LimitedCall, how: { hasRun: boolean; error: ToolError | undefined }): void
}
