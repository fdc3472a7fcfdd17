import type { StopController } from '../../../platform/async/stop-signal.js'
import type { LegacySessions, SessionContext } from './create-legacy-sessions.js'
import type { ModernConnections } from './modern-connections.js'
import type { InFlight } from '../../server/admission.js'

/** What a path of MCP means. */
export interface Route {
  readonly kind: 'mcp' | 'stream' | 'messages'
  /** The surface that the path names. */
  readonly surface?: string | undefined
}

/** A POST that is not answered yet. */
export interface OpenPost {
  readonly since: number
  /** Makes the response a stream, if it is not one yet. */
  stream(): void
}

/** What all MCP requests of one server share. */
export interface McpHttp extends SessionContext {
  readonly inFlight: InFlight
  readonly sessions: LegacySessions
  readonly connections: ModernConnections
  readonly openPosts: Set<OpenPost>
  /** Requests of the modern era that are being served. */
  readonly modernRequests: Set<StopController>
  /** Ends each open `subscriptions/listen` stream with its result. */
  readonly subscriptions: Set<() => void>
}
