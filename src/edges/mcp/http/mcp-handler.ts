import { createOpenItems } from '../../../platform/async/open-items.js'
import type { IncomingHttpHeaders } from 'node:http'
import { CLIENT_SHAPE } from '../../../sources/mcp/protocol/shape-limits.js'
import type { RequestHandler } from '../../server/request-handler.js'
import { createInFlight } from '../../server/admission.js'
import { answerRequest } from './answer-request.js'
import { createLegacySessions } from './create-legacy-sessions.js'
import { createEventStreams } from './streams/event-stream.js'
import { resolveMcpOptions, type McpHttpOptions } from './http-options.js'
import type { McpHttp, Route } from './mcp-http.js'
import { createModernConnections } from './modern-connections.js'
import { refuse } from './reply.js'

/** What is open, for the health check and tests. */
export interface OpenCounts {
  readonly sessions: number
  readonly connections: number
  readonly streams: number
  readonly posts: number
}

export interface McpHandler extends RequestHandler {
  /** The paths where it is to be mounted. */
  readonly paths: readonly string[]
  readonly open: OpenCounts
}

/** MCP over HTTP, for clients of both eras on the same path. */
export function createMcpHandler(options: McpHttpOptions, report: (problem: unknown) => void): McpHandler {
  const http = createContext(options, report)
  const timers = startTimers(http)
  return {
    paths: mcpPaths,
    get open() {
      return {
        sessions: http.sessions.size,
        connections: http.connections.size,
        streams: http.streams.size,
        posts: http.openPosts.size,
      }
    },
    // An agent calls tools here: a token that only reads records, or answers approvals, is not for that.
    roles: ['caller'],
    route: routeOf,
    template: (path) => path.replace(/^(\/\w+)\/.+$/, '$1/{surface}'),
    handle: (incoming) => answerRequest(http, routeOf(incoming.path)!, incoming),
    refuse: (response, { status, message, headers }) => refuse(response, status, message, headers),
    cors: { methods: 'GET, POST, DELETE', exposedHeaders: EXPOSED_HEADERS, allowedHeaders },
    sweepMs: http.settings.sessionIdleMs,
    sweep(now) {
      http.sessions.sweep(now)
      http.connections.sweep(now)
    },
    close() {
      for (const timer of timers) clearInterval(timer)
      for (const finish of http.subscriptions) finish()
      for (const post of http.openPosts.all()) post.cancel?.('The gateway is closing.')
      return Promise.all([http.sessions.endAll(), http.connections.closeAll()])
    },
  }
}

const mcp: Route = { kind: 'mcp' }
const routes = new Map<string, Route>([
  ['/mcp', mcp],
  ['/mcp/', mcp],
  ['/sse', { kind: 'stream' }],
  ['/messages', { kind: 'messages' }],
])

const mcpPaths = ['/mcp', '/sse', '/messages']

function routeOf(path: string): Route | undefined {
  const known = routes.get(path)
  if (known !== undefined) return known
  const match = /^\/(mcp|sse|messages)\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/.exec(path)
  return match === null ? undefined : { ...routes.get(`/${match[1]}`)!, surface: match[2] }
}

function createContext(options: McpHttpOptions, report: (problem: unknown) => void): McpHttp {
  const settings = resolveMcpOptions(options)
  const context = { gateway: options.gateway, settings, streams: createEventStreams(), report }
  return {
    ...context,
    limits: { ...CLIENT_SHAPE, maxBytes: settings.maxBodyBytes },
    inFlight: createInFlight(settings.maxInFlight),
    sessions: createLegacySessions(context),
    connections: createModernConnections(context),
    openPosts: createOpenItems(),
    subscriptions: new Set(),
  }
}

const LONGEST_PAUSE_MS = 5000

function startTimers(http: McpHttp): NodeJS.Timeout[] {
  const { keepAliveMs, streamAfterMs } = http.settings
  const beat = setInterval(() => http.streams.sendKeepAlives(), keepAliveMs)
  const slow = setInterval(
    () => {
      const before = Date.now() - streamAfterMs
      for (const post of http.openPosts.all()) if (post.since <= before) post.stream()
    },
    Math.min(LONGEST_PAUSE_MS, streamAfterMs),
  )
  return [beat, slow].map((timer) => timer.unref())
}

const ALLOWED_HEADERS =
  'authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, traceparent'
const EXPOSED_HEADERS = 'mcp-session-id, www-authenticate, retry-after'

/** Which arguments are repeated in headers depends on the tool; the browser names the headers that it will send. */
function allowedHeaders(headers: IncomingHttpHeaders): string {
  const asked = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name))
  return [ALLOWED_HEADERS, ...asked].join(', ')
}
