import type { Exchange } from '../../../../src/edges/mcp/gateway.js'

export type Sent = { method: string; params: Record<string, unknown> }

/** A request without a real client: its notifications are in `sent`. */
export function exchangeOf(options: Partial<Exchange> = {}): Exchange & { sent: Sent[] } {
  const sent: Sent[] = []
  return {
    id: 1,
    era: 'legacy',
    signal: new AbortController().signal,
    capabilities: {},
    meta: undefined,
    notify: (method, params) => void sent.push({ method, params }),
    ...options,
    sent,
  }
}
