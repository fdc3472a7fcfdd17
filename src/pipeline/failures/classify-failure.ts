import { errorLayers } from './error-layers.js'
import { httpStatus } from './http-status.js'
import { readMember } from './read-member.js'

export interface FailureClass {
  errorClass?: 'dependency_unavailable' | 'rate_limited' | 'credential_missing'
  /** Seconds. */
  retryAfter?: number
}

/** Nobody answered, or the line broke: as Node and its `fetch` name it. */
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

/** The server in front says that the one behind it is away. */
const AWAY: ReadonlySet<number | undefined> = new Set([502, 503, 504])

/** What an error that its tool has not named says all the same. Nothing where it may be anything. */
export function classifyFailure(thrown: unknown): FailureClass {
  for (const layer of errorLayers(thrown)) {
    const status = httpStatus(layer)
    if (status === 429) return { errorClass: 'rate_limited', ...waitOf(layer) }
    if (status === 401) return { errorClass: 'credential_missing' }
    if (AWAY.has(status)) return { errorClass: 'dependency_unavailable', ...waitOf(layer) }
    // A time limit that the tool set itself, for something it asked.
    const isUnanswered = readMember(layer, 'name') === 'TimeoutError'
    if (isUnanswered || UNREACHABLE.has(readMember(layer, 'code')))
      return { errorClass: 'dependency_unavailable' }
  }
  return {}
}

/** The wait that the server asked for, where it is given in seconds. */
function waitOf(error: unknown): Pick<FailureClass, 'retryAfter'> {
  const headers = readMember(error, 'headers') ?? readMember(readMember(error, 'response'), 'headers')
  const given = headers instanceof Headers ? headers.get('retry-after') : readMember(headers, 'retry-after')
  const isSeconds = typeof given === 'string' && /^\d{1,9}$/.test(given)
  return isSeconds ? { retryAfter: Number(given) } : {}
}
