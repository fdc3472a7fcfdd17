import type { GatewayContext } from '../connection.js'

const SETTLED_MS = 5000

/** How long clients may cache a list: not at all while servers are still connecting. */
export function listTtlMs({ crib }: Pick<GatewayContext, 'crib'>): number {
  return crib.pendingProviders().length > 0 ? 0 : SETTLED_MS
}
