import type { Crib } from '../../crib/crib.js'
import { ownVersion } from '../../platform/files/own-package.js'
import { createInFlight } from '../server/admission.js'
import type { HttpServer } from '../server/http-server.js'
import type { PublicRequest } from '../server/request-handler.js'
import { createApiHandler } from './api-handler.js'
import type { ApiParts } from './api-parts.js'
import { createCallerSurfaces } from './caller-surfaces.js'
import { createEventHub } from './events/event-hub.js'
import { API_PREFIX } from './openapi-document.js'
import { notFound } from './problem.js'
import { routes } from './routes.js'
import { refuseWithProblem, sendProblem } from './send-problem.js'

export interface ApiOptions extends Pick<
  ApiParts,
  'tenant' | 'surfaceRequest' | 'sourceHealth' | 'served' | 'identities' | 'traceUrl' | 'onCall'
> {
  readonly crib: Crib
  readonly maxBodyBytes?: number | undefined
  /** How many event streams one caller may have open. Default: 256. */
  readonly maxStreamsPerCaller?: number | undefined
  /** Called for errors that are not a client's fault. */
  report(problem: unknown): void
}

function refuseUnknown({ response }: PublicRequest): void {
  sendProblem(response, notFound(`There is nothing at this path; the API is below ${API_PREFIX}.`))
}

const MAX_BODY_BYTES = 4 * 1024 * 1024
const MAX_STREAMS_PER_CALLER = 256

export interface MountedApi {
  /** How many clients listen to events. */
  readonly listeners: number
}

/** Mounts the API in a server. */
export function mountApi(server: HttpServer, options: ApiOptions): MountedApi {
  const { crib, tenant, surfaceRequest, maxBodyBytes = MAX_BODY_BYTES, report } = options
  const { sourceHealth, served, identities, traceUrl, onCall } = options
  const api: ApiParts = {
    crib,
    tenant,
    surfaceRequest,
    sourceHealth,
    served,
    identities,
    traceUrl,
    onCall,
    startedAt: Date.now(),
    version: ownVersion(),
    surfaces: createCallerSurfaces({ crib, tenant, surfaceRequest }),
    events: createEventHub({ store: crib.store, report }),
    openStreams: createInFlight(options.maxStreamsPerCaller ?? MAX_STREAMS_PER_CALLER),
    now: Date.now,
  }
  // A path with a slip in it would be a page of the console.
  server.mount('/api', { refuse: refuseWithProblem, handlePublic: refuseUnknown })
  server.mount(API_PREFIX, createApiHandler({ api, routes, maxBodyBytes, report }))
  return {
    get listeners() {
      return api.events.listeners
    },
  }
}
