import type { GatewayContext } from '../connection.js'

const SETTLED_MS = 5000

/** How long a list may be kept: not at all while servers are still coming. */
export function listTtlMs({ crib }: GatewayContext): number {
  return crib.pendingProviders().length > 0 ? 0 : SETTLED_MS
}
