const SHORTEST_MS = 500
const LONGEST_MS = 60_000

/** Delay before a stream is opened again, bounded whatever the server requests: never a hot loop, never for ever. */
export function retryDelay(requestedMs: number): number {
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, requestedMs))
}
