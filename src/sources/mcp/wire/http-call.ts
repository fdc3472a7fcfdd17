import type { IncomingHttpHeaders } from 'node:http'
import type { StopListener, StopSignal } from '../../../platform/async/stop-signal.js'
import type { ConnectionPool, PoolHandler, RunningRequest } from '../../../http-client/connection-pool.js'
import { scanWhereLarge, type ShapeScan } from '../protocol/create-shape-scan.js'
import { createTextParts, type TextParts } from '../../../platform/text/text-parts.js'
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
  const { signal, method, path, headers, body = null } = call
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const answer = new AnswerReader(call, resolve, reject)
    signal?.addEventListener('abort', answer)
    pool.dispatch({ method, path, headers, body }, answer)
  })
}

const NO_PARTS: Buffer[] = []

// A class: there is one for each request, and a closure for each event would cost more than the answer.
class AnswerReader implements PoolHandler, StopListener {
  readonly #call: HttpCall
  readonly #resolve: (answer: HttpAnswer) => void
  readonly #reject: (error: unknown) => void
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #taker: ((chunk: Buffer) => void) | undefined = undefined
  #bytes = 0
  #scan: ShapeScan | undefined = undefined
  /** Kept until the body is large enough to be scanned. Most bodies are one chunk. */
  #parts: Buffer[] = NO_PARTS
  /** The decoded text, from the second chunk on. */
  #text: TextParts | undefined = undefined
  #running: RunningRequest | undefined = undefined

  constructor(call: HttpCall, resolve: (answer: HttpAnswer) => void, reject: (error: unknown) => void) {
    this.#call = call
    this.#resolve = resolve
    this.#reject = reject
  }

  /** The caller waits no longer. */
  handleEvent(): void {
    // Rejected first: aborting the request immediately reports a lost connection, which is not the reason.
    this.#reject(this.#call.signal!.reason)
    this.#running?.abort(new Error('the request was aborted'))
  }

  onRequestStart(begun: RunningRequest): void {
    this.#running = begun
    if (this.#call.signal?.aborted) begun.abort(new Error('the request was aborted'))
  }

  onResponseStart(running: RunningRequest, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
    this.#taker = this.#call.stream?.(status, headers, () => running.abort(new Error('enough was read')))
  }

  onResponseData(running: RunningRequest, chunk: Buffer): void {
    try {
      if (this.#taker) return takeInTurns(running, this.#taker, chunk)
      this.#collect(chunk)
    } catch (error) {
      running.abort(error as Error)
    }
  }

  #collect(chunk: Buffer): void {
    const { limits } = this.#call
    const parts = this.#parts
    this.#bytes += chunk.length
    this.#scan = scanWhereLarge(this.#scan, { chunk, parts, bytes: this.#bytes, limits })
    if (this.#scan?.problem !== undefined) throw new AnswerTooLarge(this.#scan.problem, limits)
    if (parts.length === 0 && !this.#scan) return void (this.#parts = [chunk])
    if (!this.#text) {
      this.#text = createTextParts()
      for (const part of parts) this.#text.push(part)
    }
    this.#text.push(chunk)
    if (this.#scan) this.#parts = NO_PARTS
    else parts.push(chunk)
  }

  onResponseEnd(): void {
    this.#call.signal?.removeEventListener('abort', this)
    const body = this.#text ? this.#text.take() : (this.#parts[0]?.toString('utf8') ?? '')
    this.#resolve({ status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_running: unknown, error: Error): void {
    this.#call.signal?.removeEventListener('abort', this)
    this.#reject(toLoss(error, this.#running !== undefined))
  }
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
