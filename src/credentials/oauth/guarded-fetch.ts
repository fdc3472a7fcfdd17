import type { IncomingHttpHeaders } from 'node:http'
import { AddressRefused, reachOfPeer, type Reach } from '../../http-client/address-rules.js'
import { isLoopbackName } from '../../http-client/is-loopback.js'
import { AnswerTooLong, sendRequest } from '../../http-client/send-request.js'
import { RequestRefused } from './login-problem.js'
import { abortAfter } from '../../platform/async/abort-after.js'

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1024 * 1024

/**
 * Sends every request of the OAuth flow: encrypted or to this machine, with limits on time and size. Addresses come
 * from the server's documents, so none may reach further into the network than the server itself.
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
  /** Only status and headers are needed: the body may be a stream that never ends. */
  ignoresBody?: boolean
}): Fetch {
  let reach: Promise<Reach> | undefined
  return async (url, init) => {
    const address = safeAddress(url, serverUrl)
    const signal = abortAfter(timeoutMs, init?.signal ?? undefined)
    const method = (init?.method ?? 'GET').toUpperCase()
    const isOwn = address.host === new URL(serverUrl).host
    // Redirects are not followed: the library follows those of documents itself, and each request comes through here
    // again.
    const { status, headers, body } = await sendRequest({
      method,
      url: address,
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: bodyOf(init?.body),
      signal,
      maxBytes,
      ignoresBody,
      reach: isOwn ? 'named' : await (reach ??= reachOfPeer(new URL(serverUrl))),
    }).catch((error: Error) => {
      if (signal.aborted) throw signal.reason
      const isOurs = error instanceof AddressRefused || error instanceof AnswerTooLong
      throw isOurs ? new RequestRefused(error.message, { cause: error }) : error
    })
    // A POST holds codes and tokens: it is never redirected to another address.
    if (status >= 300 && status < 400 && method !== 'GET')
      throw new RequestRefused('it sends what is posted to it elsewhere')
    const hasBody = status !== 204 && status !== 304
    return new Response(hasBody ? body : null, { status, headers: toHeaders(headers) })
  }
}

function bodyOf(body: RequestInit['body'] | undefined): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw new RequestRefused('what would be sent is no text')
}

function toHeaders(given: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given))
    for (const each of Array.isArray(value) ? value : [value ?? '']) headers.append(name, each)
  return headers
}

/** Returns the address, or throws where no request may be sent to it. */
export function safeAddress(url: string | URL, serverUrl: string): URL {
  const address = new URL(url)
  if (address.username !== '' || address.password !== '') {
    throw new RequestRefused('its address holds a name or a password')
  }
  if (isLoopbackName(address.hostname)) {
    if (isLoopbackName(new URL(serverUrl).hostname) && /^https?:$/.test(address.protocol)) return address
    throw new RequestRefused('it points to this machine')
  }
  if (address.protocol !== 'https:') throw new RequestRefused('its address is not https')
  return address
}
