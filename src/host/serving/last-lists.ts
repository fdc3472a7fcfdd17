import { withTimeLimit } from '../../platform/async/with-time-limit.js'
import type { Crib } from '../../crib/crib.js'
import type { OpenedSources } from '../sources/open-configured-sources.js'

/** Clients wait about two seconds between closing the pipe and a signal; responses under way take one of them. */
const LAST_LISTS_MS = 700

/**
 * Waits, after the client of a gateway over standard input has gone, for first lists that are on their way. A client whose
 * time was over comes back, and finds the lists stored.
 */
export async function lastLists(
  { crib, sources }: { crib: Pick<Crib, 'caughtUp'>; sources: Pick<OpenedSources, 'firstLists'> },
  waitMs: number = LAST_LISTS_MS,
): Promise<void> {
  const listed = sources.firstLists()?.then(() => crib.caughtUp())
  if (!listed) return
  await withTimeLimit(
    listed.catch(() => {}),
    waitMs,
  )
}
