import type { ToolResult } from '../contract/objects/tool-result.js'
import type { ErrorClass, SiblingFailurePolicy } from '../contract/unions.js'

/** Intended ends: they cancel the dependent calls, but not the other calls of the batch. */
const WANTED: readonly ErrorClass[] = ['canceled', 'sibling_canceled', 'streaming_fallback_discarded']

/** Which calls of a batch are canceled when a call ends with this result. */
export function siblingsToCancel(
  policy: SiblingFailurePolicy,
  { is_error: isError, error }: ToolResult,
): 'none' | 'dependents' | 'all' {
  if (!isError || policy === 'ignore') return 'none'
  if (policy === 'cancel_dependent') return 'dependents'
  const isWanted = WANTED.some((each) => each === error?.error_class)
  return isWanted ? 'dependents' : 'all'
}
