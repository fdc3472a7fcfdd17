import type { LoadingState } from '../../contract/unions.js'

/** What a caller should do after a search. */
export const searchNextActions = [
  'load_schema_then_call',
  'call_tool',
  'wait_for_provider',
  'refine_query',
] as const
export type SearchNextAction = (typeof searchNextActions)[number]

export interface SearchOutcome {
  /** The loading state of each match. */
  matches: readonly LoadingState[]
  /** Providers whose tools are not listed yet. */
  pendingProviders: readonly string[]
}

export function nextAction({ matches, pendingProviders }: SearchOutcome): SearchNextAction {
  if (matches.length === 0) return pendingProviders.length > 0 ? 'wait_for_provider' : 'refine_query'
  if (matches.some((state) => state === 'discoverable' || state === 'deferred'))
    return 'load_schema_then_call'
  return matches.includes('loaded') ? 'call_tool' : 'wait_for_provider'
}
