import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ServedResponse } from './served-response.js'

/** A request that was answered. It has no content: neither the path, nor the query, nor a header except its id. */
export interface SeenRequest {
  readonly method: string
  /** The path without its values, such as `/mcp/{surface}`. */
  readonly route: string
  /** 0 where the client left before the answer. */
  readonly status: number
  readonly durationMs: number
  /** Absent where the caller was not identified. */
  readonly actor: string | undefined
  readonly requestId: string
}

/** Gives each request an id, counts the open ones, and reports each one when it is over. */
export interface RequestWatch {
  begin(request: IncomingMessage, response: ServedResponse, route: () => string): void
  /** Requests that are being answered. Streams that a client opened with GET are not among them: they never end. */
  readonly open: number
}

/** A client's own id is accepted in the usual forms: it goes into logs. */
const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

export function createRequestWatch(onRequest: ((seen: SeenRequest) => void) | undefined): RequestWatch {
  let open = 0
  return {
    begin(request, response, route) {
      const given = request.headers['x-request-id']
      const requestId = typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID()
      response.requestId = requestId
      const method = request.method ?? 'GET'
      const isCounted = method !== 'GET' && method !== 'HEAD'
      if (isCounted) open++
      const startedAt = performance.now()
      response.once('close', () => {
        if (isCounted) open--
        onRequest?.({
          method,
          route: route(),
          status: response.headersSent ? response.statusCode : 0,
          durationMs: performance.now() - startedAt,
          actor: response.actor,
          requestId,
        })
      })
    },
    get open() {
      return open
    },
  }
}
