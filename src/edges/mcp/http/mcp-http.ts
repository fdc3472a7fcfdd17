import type { LegacySessions, SessionContext } from './create-legacy-sessions.js'
import type { ModernConnections } from './modern-connections.js'
import type { InFlight } from '../../server/in-flight.js'

/** A POST whose answer is not there yet. */
export interface OpenPost {
  readonly since: number
  /** Makes the response a stream, if it is none yet. */
  stream(): void
}

/** What all MCP requests of one server share. */
export interface McpHttp extends SessionContext {
  readonly inFlight: InFlight
  readonly sessions: LegacySessions
  readonly connections: ModernConnections
  readonly openPosts: Set<OpenPost>
  /** Requests of the modern era on their way. */
  readonly modernRequests: Set<AbortController>
  /** Ends each open `subscriptions/listen` stream with its result. */
  readonly subscriptions: Set<() => void>
}
