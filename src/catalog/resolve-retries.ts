import type { Retries, RetryPace } from './retries.js'

const DEFAULT_BASE_MS = 250
const DEFAULT_MAX_MS = 30_000

/** Merges settings, the nearest first: for each part the first one that states it counts. */
export function resolveRetries(said: readonly (Retries | undefined)[]): Required<RetryPace> {
  const paces = said.map((each) => (typeof each === 'number' ? { max: each } : each))
  const first = (part: keyof RetryPace): number | undefined =>
    paces.find((pace) => pace?.[part] !== undefined)?.[part]
  const baseMs = first('baseMs') ?? DEFAULT_BASE_MS
  return {
    max: first('max') ?? 0,
    baseMs,
    maxMs: first('maxMs') ?? Math.max(baseMs, DEFAULT_MAX_MS),
  }
}
