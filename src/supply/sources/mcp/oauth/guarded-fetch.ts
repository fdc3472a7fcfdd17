import { isLoopback } from '../../../../foundation/egress/is-loopback.js'
import { readBody } from '../../../../foundation/egress/read-body.js'
import { RequestRefused } from './login-problem.js'

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1024 * 1024

/**
 * How every request of the flow leaves: encrypted or to this machine, with a limit on time and size. Addresses come from
 * the server's documents, so a server elsewhere cannot make us talk to this machine.
 */
export function guardedFetch({
  serverUrl,
  timeoutMs = TIMEOUT_MS,
  maxBytes = MAX_BYTES,
  ignoresBody = false,
}: {
  serverUrl: string
  timeoutMs?: number
  maxBytes?: number
  /** Only status and headers are wanted: the body may be a stream that never ends. */
  ignoresBody?: boolean
}): Fetch {
  return async (url, init) => {
    const address = safeAddress(url, serverUrl)
    const limit = AbortSignal.timeout(timeoutMs)
    const method = (init?.method ?? 'GET').toUpperCase()
    const response = await fetch(address, {
      ...init,
      // The library follows those of documents itself, within their origin; each comes through here again.
      redirect: 'manual',
      signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit,
    })
    const isRedirect = response.status >= 300 && response.status < 400
    // What is posted holds codes and tokens: it goes to the address that was named and nowhere else.
    if (isRedirect && method !== 'GET') {
      await response.body?.cancel()
      throw new RequestRefused('it sends what is posted to it elsewhere')
    }
    const body = ignoresBody ? await leaveBody(response) : await readBody(response, maxBytes)
    if (body === undefined) throw new RequestRefused(`it answered with more than ${maxBytes} bytes`)
    const hasBody = response.status !== 204 && response.status !== 304
    return new Response(hasBody ? body : null, { status: response.status, headers: response.headers })
  }
}

async function leaveBody(response: Response): Promise<string> {
  await response.body?.cancel()
  return ''
}

/** The address, or an error where nothing may be sent to it. */
export function safeAddress(url: string | URL, serverUrl: string): URL {
  const address = new URL(url)
  if (address.username !== '' || address.password !== '') {
    throw new RequestRefused('its address holds a name or a password')
  }
  if (isLoopback(address.hostname)) {
    if (isLoopback(new URL(serverUrl).hostname) && /^https?:$/.test(address.protocol)) return address
    throw new RequestRefused('it points to this machine')
  }
  if (address.protocol !== 'https:') throw new RequestRefused('its address is not https')
  return address
}
