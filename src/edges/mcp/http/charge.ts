import type { ServerResponse } from 'node:http'
import type { Visitor } from './admit.js'
import type { Door } from './http-transport.js'
import { refuse } from './reply.js'

/** Charges a caller for so many messages. False where that is more than it may send; it has been refused then. */
export function charge(
  { limiter, settings }: Door,
  { visitor, response, now }: { visitor: Visitor; response: ServerResponse; now: number },
  count: number,
): boolean {
  const perMinute = visitor.caller.rateLimitPerMinute ?? settings.rateLimitPerMinute
  const waitSeconds =
    perMinute === undefined || count === 0 ? 0 : limiter.take(visitor.key, perMinute, now, count)
  if (waitSeconds === 0) return true
  refuse(response, 429, 'Too many requests.', { 'retry-after': String(waitSeconds) })
  return false
}
