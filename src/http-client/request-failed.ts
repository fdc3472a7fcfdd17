import type { StopSignal } from '../platform/async/stop-signal.js'
import { AddressRefused } from './address-rules.js'

export type FailureCode =
  /** Its method, address or headers cannot be sent. */
  | 'invalid_request'
  /** Its address is out of reach. */
  | 'address_refused'
  /** Its credential belongs to another origin. */
  | 'foreign_origin'
  /** No connection could be made. */
  | 'unreachable'
  /** No headers arrived in time. */
  | 'timed_out'
  /** The server closed the connection before the first byte of a response. */
  | 'no_response'
  /** The connection broke within the response. */
  | 'connection_lost'
  /** The response cannot be read. */
  | 'bad_response'
  | 'too_long'
  /** The caller or the end of the client stopped it. */
  | 'stopped'

export interface FailureOptions extends ErrorOptions {
  readonly code: FailureCode
  /** Whether the server may have received the request, and so may have acted on it. */
  readonly mayHaveRun: boolean
}

/** A request without a complete response. The message is the rest of a sentence and names no header and no value. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly code: FailureCode
  readonly mayHaveRun: boolean

  constructor(message: string, { code, mayHaveRun, ...options }: FailureOptions) {
    super(message, options)
    this.code = code
    this.mayHaveRun = mayHaveRun
  }
}

export interface RequestProgress {
  /** Whether this request had a connection. */
  readonly wasSent: boolean
  /** The same, or an earlier one of the same call had. */
  readonly mayHaveRun: boolean
  /** Whether a part of a response has arrived. */
  readonly hasAnswer: boolean
}

type Known = readonly [code: FailureCode, message: string]

const UNSENDABLE: Known = ['invalid_request', 'its method, path or headers cannot be sent']
const STOPPED: Known = ['stopped', 'it was stopped before it had answered']
const KNOWN: ReadonlyMap<string, Known> = new Map([
  ['UND_ERR_INVALID_ARG', UNSENDABLE],
  ['UND_ERR_NOT_SUPPORTED', UNSENDABLE],
  ['UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', UNSENDABLE],
  ['UND_ERR_CONNECT_TIMEOUT', ['unreachable', 'no connection to it could be made in time']],
  ['UND_ERR_HEADERS_OVERFLOW', ['bad_response', 'it answered with headers that are too long']],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['connection_lost', 'its answer is not as long as it announced']],
  ['UND_ERR_DESTROYED', STOPPED],
  ['UND_ERR_CLOSED', STOPPED],
])
const CLOSED_BY_SERVER: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** The failure of a request that a connection reports an error for. */
export function toRequestFailed(error: Error, progress: RequestProgress): RequestFailed {
  const { wasSent, mayHaveRun, hasAnswer } = progress
  if (error instanceof RequestFailed) return error
  if (error instanceof AddressRefused)
    return new RequestFailed(error.message, { code: error.code, mayHaveRun })
  const { code = error.name } = error as NodeJS.ErrnoException
  const known = KNOWN.get(code)
  if (known) return new RequestFailed(known[1], { code: known[0], mayHaveRun })
  if (!wasSent)
    return new RequestFailed(`it cannot be reached (${code})`, {
      code: 'unreachable',
      mayHaveRun,
      cause: error,
    })
  // Without its data, which may be anything that the server sent.
  if (error.name === 'HTTPParserError')
    return new RequestFailed('its answer is not valid HTTP or not complete', {
      code: 'bad_response',
      mayHaveRun,
    })
  if (!hasAnswer && CLOSED_BY_SERVER.has(code))
    return new RequestFailed('it closed the connection without an answer', {
      code: 'no_response',
      mayHaveRun,
    })
  const message = 'the connection to it broke before its answer was complete'
  return new RequestFailed(message, { code: 'connection_lost', mayHaveRun, cause: error })
}

/** The failure of a request that the caller stopped. */
export function stopped(signal: StopSignal, mayHaveRun: boolean): RequestFailed {
  const [code, message] = STOPPED
  return new RequestFailed(message, { code, mayHaveRun, cause: signal.reason })
}
