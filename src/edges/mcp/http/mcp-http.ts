import type { ShapeLimits } from '../../../sources/mcp/protocol/shape-limits.js'
import type { LegacySessions, SessionContext } from './create-legacy-sessions.js'
import type { ModernConnections } from './modern-connections.js'
import type { OpenItems } from '../../../platform/async/open-items.js'
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
  /** For a request that ends with its connection: its work is canceled. */
  cancel?(why: string): void
}

/** What all MCP requests of one server share. */
export interface McpHttp extends SessionContext {
  /** Of the body of a POST. */
  readonly limits: ShapeLimits
  readonly inFlight: InFlight
  readonly sessions: LegacySessions
  readonly connections: ModernConnections
  readonly openPosts: OpenItems<OpenPost>
  /** Ends each open `subscriptions/listen` stream with its result. */
  readonly subscriptions: Set<() => void>
}
