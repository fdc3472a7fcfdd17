import { badRequest } from '../problem.js'

/** A time of a request in milliseconds since the epoch; `path` is where it was given, such as "query/since". */
export function readTime(given: string | undefined, path: string): number | undefined {
  if (given === undefined) return undefined
  const ms = Date.parse(given)
  if (!Number.isNaN(ms)) return ms
  // Its format allows leap seconds and short offsets, which no clock of a computer shows.
  const message = 'must be a time such as 2026-01-31T12:00:00Z, without a leap second'
  throw badRequest(`${path} ${message}.`, [{ path, message }])
}
