import { mcpKind } from '../../../sources/mcp/mcp-kind.js'
import type { ServedGateway } from './served-gateway.js'

/** Clients wait about two seconds between closing the pipe and a signal; one is taken by answers that are under way. */
const LAST_LISTS_MS = 700

/**
 * Lets first lists arrive after the client has gone. A client that lost patience with them comes back, and finds them
 * remembered.
 */
export async function lastLists(
  { crib, sources }: Pick<ServedGateway, 'crib' | 'sources'>,
  waitMs: number = LAST_LISTS_MS,
): Promise<void> {
  const coming = (sources.of(mcpKind)?.mcp?.servers ?? []).filter(
    (server) => server.health().state === 'connecting' && !server.knowsTools(),
  )
  if (coming.length === 0) return
  const listed = Promise.all(coming.map((server) => server.settled())).then(() => crib.caughtUp())
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)))
  await Promise.race([listed.catch(() => {}), patience])
  clearTimeout(timer)
}
