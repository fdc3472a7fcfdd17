import type { IncomingHttpHeaders } from 'node:http'
import type { StopSignal } from '../../../platform/async/stop-signal.js'
import type { ConnectionPool, RunningRequest } from '../../../http-client/connection-pool.js'
import { scanWhereLarge, type ShapeScan } from '../protocol/create-shape-scan.js'
import { createTextParts } from '../../../platform/text/text-parts.js'
import type { ShapeLimits } from '../protocol/shape-limits.js'
import { AnswerTooLarge, ConnectionLost } from '../connection/connection.js'

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Empty where the body was streamed. */
  readonly body: string
}

export interface HttpCall {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | undefined
  readonly signal?: StopSignal | undefined
  readonly limits: ShapeLimits
  /**
   * Returns a consumer of the body's chunks; undefined to collect the body. An error that it throws ends the call, and
   * so does `stop`.
   */
  readonly stream?:
    | ((
        status: number,
        headers: IncomingHttpHeaders,
        stop: () => void,
      ) => ((chunk: Buffer) => void) | undefined)
    | undefined
}

/** The server could not be reached at all. */
export class Unreachable extends ConnectionLost {
  constructor(message: string) {
    super(message, { mayHaveRun: false })
  }
}

/** Resolves when the whole answer has arrived. Rejects with a ConnectionLost, or with the signal's reason. */
export function callHttp(pool: ConnectionPool, call: HttpCall): Promise<HttpAnswer> {
  const { signal } = call
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    let status = 0
    let headers: IncomingHttpHeaders = {}
    let taker: ((chunk: Buffer) => void) | undefined
    const text = createTextParts()
    const parts: Buffer[] = []
    let bytes = 0
    let scan: ShapeScan | undefined
    let wasSent = false
    let controller: RunningRequest | undefined

    const onStop = signal && {
      handleEvent(): void {
        // Rejected first: aborting the request immediately reports a lost connection, which is not the reason.
        reject(signal.reason)
        controller?.abort(new Error('the request was aborted'))
      },
    }
    const fail = (error: Error): void => {
      if (onStop) signal.removeEventListener('abort', onStop)
      reject(toLoss(error, wasSent))
    }
    if (onStop) signal.addEventListener('abort', onStop)

    pool.dispatch(
      { method: call.method, path: call.path, headers: call.headers, body: call.body ?? null },
      {
        onRequestStart(begun) {
          controller = begun
          wasSent = true
          if (signal?.aborted) begun.abort(new Error('the request was aborted'))
        },
        onResponseStart(running, code, fields) {
          status = code
          headers = fields
          taker = call.stream?.(code, fields, () => running.abort(new Error('enough was read')))
        },
        onResponseData(running, chunk) {
          try {
            if (taker) return takeInTurns(running, taker, chunk)
            bytes += chunk.length
            scan = scanWhereLarge(scan, { chunk, parts, bytes, limits: call.limits })
            if (scan?.problem !== undefined) throw new AnswerTooLarge(scan.problem, call.limits)
            text.push(chunk)
            // Chunks are kept only until the body is large enough to be scanned.
            if (scan) parts.length = 0
            else parts.push(chunk)
          } catch (error) {
            running.abort(error as Error)
          }
        },
        onResponseEnd() {
          if (onStop) signal.removeEventListener('abort', onStop)
          resolve({ status, headers, body: text.take() })
        },
        onResponseError(_, error) {
          fail(error)
        },
      },
    )
  })
}

/** A stream may be endless: it is paused so that other work gets a turn. */
function takeInTurns(running: RunningRequest, taker: (chunk: Buffer) => void, chunk: Buffer): void {
  const startedAt = performance.now()
  if (startedAt - busySince > BREATH_MS) busySince = startedAt
  taker(chunk)
  if (performance.now() - busySince < BREATH_MS) return
  running.pause()
  setImmediate(() => {
    busySince = performance.now()
    running.resume()
  })
}

/** How long streams are read before other work gets a turn. */
const BREATH_MS = 8
let busySince = 0

function toLoss(error: NodeJS.ErrnoException, wasSent: boolean): ConnectionLost {
  if (error instanceof AnswerTooLarge) return error
  if (error instanceof ConnectionLost) return new ConnectionLost(error.message, { mayHaveRun: wasSent })
  const why = error.code === undefined || error.code === 'UND_ERR_SOCKET' ? error.message : error.code
  return wasSent
    ? new ConnectionLost(`The connection to the server broke: ${why}.`, { mayHaveRun: true })
    : new Unreachable(`The server cannot be reached: ${why || error.message}.`)
}
