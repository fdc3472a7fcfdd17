import { withTimeLimit } from '../../platform/async/with-time-limit.js'
import type { Crib } from '../../crib/crib.js'
import { mcpKind } from '../../sources/mcp/mcp-kind.js'
import type { OpenedSources } from '../sources/open-configured-sources.js'

/** Clients wait about two seconds between closing the pipe and a signal; responses under way take one of them. */
const LAST_LISTS_MS = 700

/**
 * Waits, after the client of a gateway over standard input has gone, for first lists that are on their way. A client whose
 * time was over comes back, and finds the lists stored.
 */
export async function lastLists(
  { crib, sources }: { crib: Pick<Crib, 'caughtUp'>; sources: Pick<OpenedSources, 'of'> },
  waitMs: number = LAST_LISTS_MS,
): Promise<void> {
  const coming = (sources.of(mcpKind)?.mcp?.servers ?? []).filter(
    (server) => server.health().state === 'connecting' && !server.knowsTools(),
  )
  if (coming.length === 0) return
  const listed = Promise.all(coming.map((server) => server.settled())).then(() => crib.caughtUp())
  await withTimeLimit(
    listed.catch(() => {}),
    waitMs,
  )
}
