import { errorLayers } from './error-layers.js'
import { httpStatus } from './http-status.js'
import { readMember } from './read-member.js'

export interface FailureClass {
  errorClass?: 'dependency_unavailable' | 'rate_limited' | 'credential_missing'
  /** Seconds. */
  retryAfter?: number
}

/** The codes of Node and its `fetch` for a server that did not answer, or a broken connection. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'EPIPE',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
])

/** A gateway reports that its upstream server is unavailable. */
const AWAY: ReadonlySet<number | undefined> = new Set([502, 503, 504])

/** The class of an error that its tool has not classified; empty if it is unclear. */
export function classifyFailure(thrown: unknown): FailureClass {
  for (const layer of errorLayers(thrown)) {
    const status = httpStatus(layer)
    if (status === 429) return { errorClass: 'rate_limited', ...waitOf(layer) }
    if (status === 401) return { errorClass: 'credential_missing' }
    if (AWAY.has(status)) return { errorClass: 'dependency_unavailable', ...waitOf(layer) }
    // A time limit that the tool itself set for a request.
    const isUnanswered = readMember(layer, 'name') === 'TimeoutError'
    if (isUnanswered || UNREACHABLE.has(readMember(layer, 'code')))
      return { errorClass: 'dependency_unavailable' }
  }
  return {}
}

/** The wait that the server requested, if it is given in seconds. */
function waitOf(error: unknown): Pick<FailureClass, 'retryAfter'> {
  const headers = readMember(error, 'headers') ?? readMember(readMember(error, 'response'), 'headers')
  const given = headers instanceof Headers ? headers.get('retry-after') : readMember(headers, 'retry-after')
  const isSeconds = typeof given === 'string' && /^\d{1,9}$/.test(given)
  return isSeconds ? { retryAfter: Number(given) } : {}
}
