const FIRST_MS = 1_000
const LONGEST_MS = 60_000

/**
 * Doubles after each failure, up to a minute. The random part keeps servers that failed together from retrying
 * together.
 */
export function retryDelayMs(failures: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(Math.max(failures, 1), 16))
  return Math.max(FIRST_MS, Math.round(full * (0.5 + random / 2)))
}
