import type { IncomingHttpHeaders } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { PoolHandler, RunningRequest } from './connection-pool.js'
import type { RequestPool } from './origin-pools.js'
import { RequestFailed, stopped, toRequestFailed, type FailureCode } from './request-failed.js'
import type { StopSignal } from '../platform/async/stop-signal.js'

export interface ExchangeOptions {
  readonly method: string
  readonly path: string
  /** Names and values, in turns. */
  readonly headers: string[]
  readonly body: string | Uint8Array | undefined
  readonly signal: StopSignal
  readonly timeoutMs: number | undefined
  readonly inlineBytes: number
  readonly maxBytes: number
  /** Whether an earlier request of the same call has reached a server. */
  readonly mayHaveRun: boolean
}

export interface ExchangeResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** A longer body is a stream. It is read to its end or destroyed, which closes the connection. */
  readonly body: Buffer | Readable
}

interface Settle {
  resolve(response: ExchangeResponse): void
  reject(error: RequestFailed): void
}

/** Sends one request. Resolves when its body is complete or too long for one piece; rejects with RequestFailed. */
export function exchange(pool: RequestPool, options: ExchangeOptions): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => new Exchange(options, { resolve, reject }).start(pool))
}

const EMPTY = Buffer.alloc(0)
/** A longer timer would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
const STREAM_BUFFER_BYTES = 64 * 1024
/** Small chunks are joined when there are this many: each takes more memory than its bytes. */
const MAX_PARTS = 1024

type OpenDecoder = (first: Buffer) => Transform

/** Only what is common: no server needs to send anything else, or two at once, to a client that asked for neither. */
const DECODERS: ReadonlyMap<string, OpenDecoder> = new Map<string, OpenDecoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['br', () => createBrotliDecompress()],
  // Some servers leave out the header of the format, which starts with the method 8.
  ['deflate', ([first = 0]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())],
])

/** A class: requests are frequent, and methods on a prototype need no closures. */
class Exchange implements PoolHandler {
  readonly #options: ExchangeOptions
  readonly #settle: Settle
  #pool: RequestPool | undefined
  #controller: RunningRequest | undefined
  #timer: NodeJS.Timeout | undefined
  #wasSent = false
  #hasAnswer = false
  /** Whether nothing more comes. */
  #isReceived = false
  #isOver = false
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #receivedBytes = 0
  #bytes = 0
  #parts: Buffer[] = []
  #openDecoder: OpenDecoder | undefined
  #decoder: Transform | undefined
  #body: StreamedBody | undefined
  #isPaused = false

  constructor(options: ExchangeOptions, settle: Settle) {
    this.#options = options
    this.#settle = settle
  }

  get #mayHaveRun(): boolean {
    return this.#wasSent || this.#options.mayHaveRun
  }

  start(pool: RequestPool): void {
    const { method, path, headers, body = null, signal, timeoutMs } = this.#options
    if (signal.aborted) return this.#settle.reject(stopped(signal, this.#mayHaveRun))
    signal.addEventListener('abort', this)
    if (timeoutMs !== undefined)
      this.#timer = setTimeout(endOfWaiting, Math.min(timeoutMs, LONGEST_TIMER_MS), this)
    this.#pool = pool
    pool.waiting++
    pool.connections.dispatch({ method, path, headers, body }, this)
  }

  /** The signal is aborted. */
  handleEvent(): void {
    this.#fail(stopped(this.#options.signal, this.#mayHaveRun))
  }

  timeOut(): void {
    this.#failWith('timed_out', `it did not answer within ${this.#options.timeoutMs} ms`)
  }

  onRequestStart(controller: RunningRequest): void {
    this.#controller = controller
    // It has waited for a connection until it was given up.
    if (this.#isOver) return controller.abort(new Error('the request is over'))
    this.#wasSent = true
    this.#stopWaiting()
  }

  onResponseStarted(): void {
    this.#hasAnswer = true
  }

  onResponseStart(_: RunningRequest, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver || status < 200) return
    const { method, maxBytes, inlineBytes } = this.#options
    clearTimeout(this.#timer)
    this.#status = status
    this.#headers = headers
    if (method === 'HEAD' || status === 204 || status === 304) {
      // At once: undici would wait for the bytes that a 304 may announce but never sends.
      this.#isReceived = true
      return this.#finish()
    }
    const declaredBytes = Number(headers['content-length'] ?? 0)
    if (declaredBytes > maxBytes) return this.#failAsTooLong()
    if (headers['content-encoding'] !== undefined) this.#expectEncoding(headers)
    else if (declaredBytes > inlineBytes) this.#openStream()
  }

  onResponseData(controller: RunningRequest, chunk: Buffer): void {
    if (this.#isOver) return
    this.#receivedBytes += chunk.length
    // Also before decoding: an encoding can be long and hold nothing.
    if (this.#receivedBytes > this.#options.maxBytes) return this.#failAsTooLong()
    if (!this.#openDecoder) return this.#take(chunk)
    this.#decoder ??= this.#startDecoder(controller, this.#openDecoder(chunk))
    if (!this.#decoder.write(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    this.#isReceived = true
    if (this.#decoder) this.#decoder.end()
    else this.#finish()
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#isOver) return
    const [wasSent, mayHaveRun, hasAnswer] = [this.#wasSent, this.#mayHaveRun, this.#hasAnswer]
    this.#fail(toRequestFailed(error, { wasSent, mayHaveRun, hasAnswer }))
  }

  /** The reader of a streamed body wants more. */
  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    // Later: the parser of another connection may be running, and undici does not resume one parser within another.
    queueMicrotask(() => (this.#decoder ?? this.#controller)?.resume())
  }

  /** Nobody reads the body any more. */
  abandon(): void {
    if (this.#isOver) return
    this.#end()
    this.#decoder?.destroy()
    this.#controller?.abort(new Error('the body is not needed'))
  }

  #expectEncoding(headers: IncomingHttpHeaders): void {
    const encoding = String(headers['content-encoding']).trim().toLowerCase()
    if (encoding === '' || encoding === 'identity') return
    this.#openDecoder = DECODERS.get(encoding)
    if (!this.#openDecoder)
      return this.#failWith('bad_response', 'it answered in an encoding that it was not asked for')
    // They describe what was received and not the body that is passed on.
    delete headers['content-encoding']
    delete headers['content-length']
  }

  #startDecoder(controller: RunningRequest, decoder: Transform): Transform {
    return decoder
      .on('data', (chunk: Buffer) => this.#take(chunk))
      .on('drain', () => controller.resume())
      .on('end', () => this.#finish())
      .on('error', () => this.#failWith('bad_response', 'it answered with a body that cannot be decoded'))
  }

  /** A part of the decoded body. */
  #take(chunk: Buffer): void {
    if (this.#isOver) return
    this.#bytes += chunk.length
    if (this.#bytes > this.#options.maxBytes) return this.#failAsTooLong()
    if (this.#body) return this.#push(chunk)
    this.#parts.push(chunk)
    if (this.#bytes > this.#options.inlineBytes) this.#openStream()
    else if (this.#parts.length === MAX_PARTS) this.#parts = [Buffer.concat(this.#parts)]
  }

  #openStream(): void {
    const body = new StreamedBody(this)
    this.#body = body
    for (const part of this.#parts) this.#push(part)
    this.#parts = []
    this.#settle.resolve({ status: this.#status, headers: this.#headers, body })
  }

  #push(chunk: Buffer): void {
    if (this.#body!.push(chunk) || this.#isPaused) return
    this.#isPaused = true
    ;(this.#decoder ?? this.#controller)?.pause()
  }

  #finish(): void {
    if (this.#isOver) return
    this.#end()
    const { length, 0: first = EMPTY } = this.#parts
    if (this.#body) this.#body.push(null)
    else {
      const body = length < 2 ? first : Buffer.concat(this.#parts)
      this.#settle.resolve({ status: this.#status, headers: this.#headers, body })
    }
    // An encoded body may end before the response does.
    if (!this.#isReceived) this.#controller?.abort(new Error('the body is complete'))
  }

  #failAsTooLong(): void {
    this.#failWith('too_long', `it answered with more than ${this.#options.maxBytes} bytes`)
  }

  #failWith(code: FailureCode, message: string): void {
    this.#fail(new RequestFailed(message, { code, mayHaveRun: this.#mayHaveRun }))
  }

  #fail(error: RequestFailed): void {
    if (this.#isOver) return
    this.#end()
    if (this.#body) this.#body.destroy(error)
    else this.#settle.reject(error)
    this.#decoder?.destroy()
    this.#controller?.abort(error)
  }

  #stopWaiting(): void {
    if (this.#pool) this.#pool.waiting--
    this.#pool = undefined
  }

  #end(): void {
    this.#isOver = true
    this.#stopWaiting()
    clearTimeout(this.#timer)
    this.#options.signal.removeEventListener('abort', this)
  }
}

function endOfWaiting(running: Exchange): void {
  running.timeOut()
}

class StreamedBody extends Readable {
  readonly #exchange: Exchange

  constructor(running: Exchange) {
    super({ highWaterMark: STREAM_BUFFER_BYTES })
    this.#exchange = running
    // A body that nobody reads may fail without ending the process. Readers still get the error.
    this.on('error', () => {})
  }

  override _read(): void {
    this.#exchange.resume()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#exchange.abandon()
    done(error)
  }
}
