import type { ServerResponse } from 'node:http'
import type { Crib } from '../../../crib/crib.js'
import type { StatedSource } from '../../../host/sources/source-health.js'
import type { Role } from '../../../platform/config/roles.js'
import { refuseWithProblem as refuse } from '../../http-api/send-problem.js'
import type { HttpServer } from '../http-server.js'
import type { PublicHandler, PublicRequest, RequestHandler } from '../request-handler.js'
import { sendJsonText } from '../respond.js'
import type { SeenRequest } from '../watch-requests.js'
import { countCalls, createLabeledCounter } from './call-counts.js'
import { EXPOSITION_TYPE, toExposition, type NamedMetric } from './exposition.js'
import { createProcessMetrics } from './process-metrics.js'
import { serverMetrics, type OpenClients } from './server-metrics.js'

export interface HealthOptions {
  readonly crib: Pick<Crib, 'monitor' | 'store'>
  /** The sources of the config with their current states. */
  sources(): readonly StatedSource[]
  /** Whether metrics are given without a token. */
  readonly isPublic: boolean
  /** The tenant that the server belongs to: the metrics count the calls of all tenants and name the sources. */
  readonly tenant: string
  open(): OpenClients
  /** Called with why the store cannot be written, once for each reason: a public answer does not say it. */
  report(problem: string): void
}

export interface Health {
  /** To be passed to the server, which reports its requests. */
  onRequest(seen: SeenRequest): void
  /** Mounts `/healthz`, `/readyz` and `/metrics`. */
  mount(server: HttpServer): void
}

/** Whether the server is alive, whether it is ready, and its metrics. It counts from now on. */
export function createHealth(options: HealthOptions): Health {
  const { crib, sources } = options
  const requests = createLabeledCounter(['method', 'route', 'status'])
  const calls = countCalls(crib.monitor)
  const processMetrics = createProcessMetrics()
  let reported: string | undefined

  async function storeProblem(): Promise<string | undefined> {
    const problem = await crib.monitor.storeProblem()
    if (problem !== undefined && problem !== reported) options.report(problem)
    reported = problem
    return problem
  }

  async function metrics(): Promise<NamedMetric[]> {
    return [
      ...(await serverMetrics({ crib, sources: sources(), open: options.open() })),
      ...calls.metrics(),
      {
        name: 'toolcrib_http_requests_total',
        help: 'HTTP requests by method, route and status; status 0 where the client left before the answer.',
        metric: { type: 'counter', samples: requests.samples() },
      },
      ...processMetrics(),
    ]
  }

  return {
    onRequest: ({ method, route, status }) => requests.add(knownMethod(method), route, String(status)),
    mount(server) {
      server.mount(
        '/healthz',
        publicHandler(({ response }) => sendJsonText(response, 200, '{"status":"ok"}')),
      )
      server.mount(
        '/readyz',
        publicHandler(({ response }) => {
          const facts = { isDraining: server.isDraining, sources: sources(), storeProblem }
          findReasons(facts).then((reasons) => sendReadiness(response, reasons), options.report)
        }),
      )
      server.mount(
        '/metrics',
        metricsHandler(metrics, options, () => calls.stop()),
      )
    },
  }
}

function sendReadiness(response: ServerResponse, reasons: readonly NotReady[]): void {
  const body = reasons.length === 0 ? { status: 'ready' } : { status: 'not_ready', reasons }
  sendJsonText(response, reasons.length === 0 ? 200 : 503, JSON.stringify(body))
}

/** Why a server is not ready, for programs and for people. It names nothing: the check is public. */
interface NotReady {
  readonly code: 'closing' | 'store' | 'sources'
  readonly message: string
}

interface ReadinessFacts {
  readonly isDraining: boolean
  storeProblem(): Promise<string | undefined>
  readonly sources: readonly StatedSource[]
}

/** What keeps the server from answering calls now. */
async function findReasons({ isDraining, storeProblem, sources }: ReadinessFacts): Promise<NotReady[]> {
  const reasons: NotReady[] = []
  if (isDraining) reasons.push({ code: 'closing', message: 'The server is closing.' })
  if ((await storeProblem()) !== undefined)
    reasons.push({ code: 'store', message: 'The store cannot be written; the log of the server says why.' })
  // A source that has failed does not make the others useless. One that is still connecting may have every tool.
  const unknown = sources.filter(
    ({ status }) => !status || (status.state === 'connecting' && status.tools === 0),
  ).length
  if (unknown > 0)
    reasons.push({
      code: 'sources',
      message: `${unknown} ${unknown === 1 ? 'source has' : 'sources have'} not listed any tools yet.`,
    })
  return reasons
}

/** The roles that may read metrics: they name sources and routes. */
const METRICS_ROLES: readonly Role[] = ['operator', 'auditor']

function metricsHandler(
  read: () => Promise<NamedMetric[]>,
  { isPublic, tenant }: Pick<HealthOptions, 'isPublic' | 'tenant'>,
  stop: () => void,
): PublicHandler | RequestHandler {
  const send = ({ response }: PublicRequest): void => {
    read().then(
      (metrics) => sendJsonText(response, 200, toExposition(metrics), { 'content-type': EXPOSITION_TYPE }),
      () => refuse(response, { status: 503, message: 'The metrics cannot be read now; try again later.' }),
    )
  }
  const close = async (): Promise<void> => stop()
  if (isPublic) return { ...publicHandler(send), close }
  return {
    refuse,
    close,
    // Where MCP needs no token, this still does.
    isForPeople: true,
    route: (path) => (path === '/metrics' ? {} : undefined),
    handle(incoming) {
      const { request, response, identity } = incoming
      if (!isRead(request.method)) return refuseMethod(response)
      if (!identity.caller.roles.some((role) => METRICS_ROLES.includes(role)))
        return refuse(response, {
          status: 403,
          message: `This needs one of the roles ${METRICS_ROLES.join(', ')}; use another token, or ask an operator for one.`,
        })
      if ((identity.caller.tenant ?? tenant) !== tenant)
        return refuse(response, {
          status: 403,
          message:
            'The metrics are those of the whole server, which belongs to another tenant; ask its operator.',
        })
      send(incoming)
    },
  }
}

function publicHandler(answer: (incoming: PublicRequest) => void): PublicHandler {
  return {
    refuse,
    handlePublic(incoming) {
      if (isRead(incoming.request.method)) answer(incoming)
      else refuseMethod(incoming.response)
    },
  }
}

function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}

function refuseMethod(response: ServerResponse): void {
  refuse(response, { status: 405, message: 'This path takes GET, HEAD.', headers: { allow: 'GET, HEAD' } })
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

/** A client could send any word. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : 'other'
}
