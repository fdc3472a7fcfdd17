import type { IncomingMessage } from 'node:http'
import type { ClientAddress } from './client-address.js'
import { createRateLimiter } from './rate-limiter.js'

/** Limits how many wrong tokens and login codes one address may send. */
export interface GuessLimit {
  note(request: IncomingMessage, now: number): void
  /** How many seconds the address has to wait before another one is checked. */
  wait(request: IncomingMessage, now: number): number
  sweep(now: number): void
}

export function createGuessLimit(perMinute: number, addressOf: ClientAddress): GuessLimit {
  const wrong = createRateLimiter()
  return {
    note: (request, now) => void wrong.take(addressOf(request), perMinute, now),
    wait: (request, now) => wrong.wait(addressOf(request), perMinute, now),
    sweep: (now) => wrong.sweep(now),
  }
}
