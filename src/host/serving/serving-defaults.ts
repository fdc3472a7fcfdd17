import type { CribOptions } from '../../crib/crib.js'
import type { ResultOptions } from '../../crib/results/result-options.js'
import type { CribSettings } from '../crib-settings.js'

/** A file of 100 KB is nothing unusual: clients get it whole, as they do from the server itself. */
const MAX_INLINE_CHARS = 131_072

/**
 * Whether a gateway lets tools run that are declared as read-only and may reach beyond this machine. A crib in a program
 * asks about them.
 */
export const SERVED_OPEN_READS = true

/** What a gateway decides for its callers, clients and commands alike, where the config does not say. */
export function servingDefaults({ config }: CribSettings): {
  openReads: boolean
  results: ResultOptions
} {
  return {
    openReads: SERVED_OPEN_READS,
    results: {
      maxInlineChars: MAX_INLINE_CHARS,
      // Many clients list tools once: a tool that comes with the first long result is one that they never call.
      readTool: true,
      ...(config.results as ResultOptions),
    },
  }
}

/**
 * Who may answer what waits. The person who starts the gateway is one of them unless others are named; with others, only
 * where this person is asked: at the terminal of the gateway, or by a command of this person's own.
 */
export function servingReviewers(
  { config }: CribSettings,
  { person, isAsked }: { person: string; isAsked: boolean },
): NonNullable<CribOptions['reviewers']> {
  const named = config.approvals?.reviewers ?? []
  return named.length > 0 && !isAsked ? named : [...named, person]
}
