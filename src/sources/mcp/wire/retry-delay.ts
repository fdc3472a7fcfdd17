const SHORTEST_MS = 500
const LONGEST_MS = 60_000

/** How long to wait before a stream is opened again, whatever its server wishes: never in a hot loop, never for ever. */
export function retryDelay(wishedMs: number): number {
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, wishedMs))
}
