import type { Crib } from '../../crib/crib.js'
import type { SourceHealth } from '../../host/sources/source-health.js'
import type { ServedConfig } from '../../host/serving/served-config.js'
import type { CallerSurfaces, SurfaceByName } from './caller-surfaces.js'
import type { SeenCall } from '../mcp/gateway-events.js'
import type { InFlight } from '../server/admission.js'
import type { Identities } from '../server/identities.js'
import type { EventHub } from './events/event-hub.js'

/** What the routes work with. */
export interface ApiParts {
  readonly crib: Crib
  /** The tenant of callers that have none of their own. */
  readonly tenant: string
  readonly version: string
  readonly surfaceRequest: SurfaceByName
  /** The config of the gateway. Absent: the crib was not made of one. */
  readonly served?: ServedConfig | undefined
  readonly surfaces: CallerSurfaces
  readonly events: EventHub
  /** The event streams that each caller has open. */
  readonly openStreams: InFlight
  /** The health of the sources of the config, by the numbers of a tenant. */
  sourceHealth(tenant: string): Promise<readonly SourceHealth[]>
  /** Absent where the host has its own identities: then nobody logs in here, and there are no named tokens. */
  readonly identities?: Pick<Identities, 'logins' | 'tokens' | 'configTokens'> | undefined
  /** The page of a trace, with `{trace_id}` where its id belongs. */
  readonly traceUrl?: string | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Called for each call that a client makes. */
  onCall?: ((call: SeenCall) => void) | undefined
  now(): number
}
