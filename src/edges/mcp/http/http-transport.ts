import type { Admission } from './admit.js'
import type { LegacySessions, SessionHouse } from './create-legacy-sessions.js'
import type { ModernPlaces } from './modern-connections.js'
import type { RateLimiter } from './create-rate-limiter.js'
import type { UnderWay } from './create-under-way.js'

/** A POST whose answer is not there yet. */
export interface OpenPost {
  readonly since: number
  /** Makes the response a stream, if it is none yet. */
  stream(): void
}

/** What all requests of one server share. */
export interface Door extends SessionHouse {
  readonly admission: Admission
  readonly limiter: RateLimiter
  readonly underWay: UnderWay
  readonly sessions: LegacySessions
  readonly places: ModernPlaces
  readonly openPosts: Set<OpenPost>
  /** Requests of the modern era on their way. */
  readonly modernRequests: Set<AbortController>
  /** Ends each open `subscriptions/listen` stream with its result. */
  readonly subscriptions: Set<() => void>
  isClosing: boolean
}
