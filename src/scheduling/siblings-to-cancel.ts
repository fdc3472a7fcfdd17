import type { ToolResult } from '../contract/objects/tool-result.js'
import type { ErrorClass, SiblingFailurePolicy } from '../contract/unions.js'

/** Ends that somebody wanted: they take along what depends on them, but no call that merely runs beside them. */
const WANTED: readonly ErrorClass[] = ['canceled', 'sibling_canceled', 'streaming_fallback_discarded']

/** Which calls of a batch a call takes with it when it ends like this. */
export function siblingsToCancel(
  policy: SiblingFailurePolicy,
  { is_error: isError, error }: ToolResult,
): 'none' | 'dependents' | 'all' {
  if (!isError || policy === 'ignore') return 'none'
  if (policy === 'cancel_dependent') return 'dependents'
  const isWanted = WANTED.some((each) => each === error?.error_class)
  return isWanted ? 'dependents' : 'all'
}
