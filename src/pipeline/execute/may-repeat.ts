import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'

/** Whether a second run of the same call does no harm. Only the tool's own declaration counts, not a default. */
export function mayRepeat({ facts }: CallState, run: CallRun): boolean {
  if (run.tool?.draft.execution.isIdempotent === true) return true
  return facts !== undefined && facts.is_read_only && facts.origins.is_read_only !== 'default'
}
