import { Readable } from 'node:stream'
import type { Credential, Proof } from './credential.js'
import { ForeignOrigin, withCookies, withCredential, withQuery } from './with-credential.js'
import { AddressRefused, type Reach } from './address-rules.js'
import { exchange, type ExchangeOptions, type ExchangeResponse } from './api-exchange.js'
import { filterHeaders, isRedirect, nextHop, type Hop } from './next-hop.js'
import { createOriginPools, type OriginPools, type OriginPoolsOptions } from './origin-pools.js'
import { RequestFailed, stopped } from './request-failed.js'
import type { StopSignal } from '../platform/async/stop-signal.js'

export interface ApiRequest {
  /** In upper case, as it is sent. */
  readonly method: string
  readonly url: URL
  /** Replaces the path and query of the URL, where they must be sent exactly so. */
  readonly path?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array | undefined
  /** Ends the request on the wire, also while its body is read. */
  readonly signal: StopSignal
  /** How long each request waits for the headers of its response, making the connection included. */
  readonly timeoutMs?: number | undefined
  /** Sent only to its own origin, and replaces headers and parameters of the same name. */
  readonly credential?: Credential | undefined
  /** Bodies up to this size come in one piece, longer ones as a stream. */
  readonly inlineBytes: number
  /** A longer body is refused, before and after decoding. */
  readonly maxBytes: number
  /**
   * Other hosts that a redirect may lead to, as in `URL.host`. They must be outside, and get neither credentials nor
   * other headers that are not about the form of the response.
   */
  readonly redirectHosts?: readonly string[] | undefined
  /** Asked before each redirect is followed. Where it is false, the redirect is the response. */
  mayFollow?(url: URL): Promise<boolean>
}

export interface ApiResponse extends ExchangeResponse {
  /** That of the request, or the one that redirects led to; without the parameters of a credential. */
  readonly url: URL
  readonly isRedirected: boolean
}

export interface ApiClientOptions extends OriginPoolsOptions {
  /** How far requests may reach. Redirects to another origin must lead outside. */
  readonly reach: Reach
}

export interface ApiClient {
  /**
   * Sends a request and follows its redirects. A redirect that is not followed is the response. Rejects with
   * RequestFailed, or with the error of the credential.
   */
  request(request: ApiRequest): Promise<ApiResponse>
  /** Ends all requests. */
  close(): Promise<void>
}

const MAX_REDIRECTS = 5
const NO_PROOF: Proof = {}
/** They belong to the connection and not to the request. A Host header would also change which certificate is accepted. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Requests to APIs over connections that stay open. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const pools = createOriginPools(options)
  return {
    request: (request) => followRedirects({ pools, reach: options.reach, request }),
    close: () => pools.close(),
  }
}

interface Sending {
  readonly pools: OriginPools
  readonly reach: Reach
  readonly request: ApiRequest
}

interface Answer {
  readonly response: ExchangeResponse
  readonly proof: Proof
}

async function followRedirects(sending: Sending): Promise<ApiResponse> {
  const { redirectHosts = [] } = sending.request
  let hop = toHop(sending.request)
  for (let redirects = 0; ; redirects++) {
    const isRedirected = redirects > 0
    const { response, proof } = await sendHop(sending, { hop, isRedirected })
    const { status, headers, body } = response
    const next =
      isRedirect(status) && redirects < MAX_REDIRECTS
        ? nextHop(hop, { status, headers, redirectHosts, credentialQuery: proof.query })
        : undefined
    if (!next || !((await sending.request.mayFollow?.(next.url)) ?? true))
      return { status, headers, body, url: hop.url, isRedirected }
    discard(response)
    hop = next
  }
}

/** The first request. Throws where it cannot be sent. */
function toHop({ method, url, path, headers = {}, body }: ApiRequest): Hop {
  if (!/^https?:$/.test(url.protocol)) throw refused('its address is neither http nor https')
  if (url.username !== '' || url.password !== '') throw refused('its address holds a name or a password')
  const sent = path ?? url.pathname + url.search
  // A path that is a whole address would be sent to this host, which may be a proxy.
  if (!/^\/[!"$-~]*$/.test(sent)) throw unsendable('its path cannot be sent')
  // Makes a tunnel and has no response.
  if (method === 'CONNECT') throw unsendable('its method cannot be sent')
  return {
    method,
    url,
    path: sent,
    headers: toHeaderList(headers),
    body,
    isOwn: true,
  }
}

function toHeaderList(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = []
  let hasEncoding = false
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (CONNECTION_HEADERS.has(lower)) throw unsendable('one of its headers belongs to the connection')
    hasEncoding ||= lower === 'accept-encoding'
    list.push(lower, headers[name]!)
  }
  // Decoding costs more than it saves, and what arrives is bounded more easily.
  if (!hasEncoding) list.push('accept-encoding', 'identity')
  return list
}

async function sendHop(
  sending: Sending,
  { hop, isRedirected }: { hop: Hop; isRedirected: boolean },
): Promise<Answer> {
  const { signal } = sending.request
  // A refusal by another origin says nothing about the credential.
  const credential = hop.isOwn ? sending.request.credential : undefined
  if (!credential) {
    try {
      return {
        response: await sendOnce(sending, { hop, proof: NO_PROOF, mayHaveRun: isRedirected }),
        proof: NO_PROOF,
      }
    } catch (error) {
      throw toFailure(error, { signal, mayHaveRun: isRedirected })
    }
  }
  let proof = NO_PROOF
  let last: ExchangeResponse | undefined
  const send = async (given: Proof): Promise<ExchangeResponse> => {
    if (last) discard(last)
    proof = given
    last = await sendOnce(sending, { hop, proof, mayHaveRun: isRedirected })
    return last
  }
  try {
    const response = await withCredential({ credential, url: hop.url, signal }, send)
    return { response, proof }
  } catch (error) {
    if (last) discard(last)
    throw toFailure(error, { signal, mayHaveRun: isRedirected })
  }
}

interface OneHop {
  readonly hop: Hop
  readonly proof: Proof
  readonly mayHaveRun: boolean
}

async function sendOnce(
  { pools, reach, request }: Sending,
  { hop, proof, mayHaveRun }: OneHop,
): Promise<ExchangeResponse> {
  const { method, url, path, body, isOwn } = hop
  const reachOfHop = isOwn ? reach : 'outside'
  const options: ExchangeOptions = {
    method,
    path: withQuery(path, proof.query),
    headers: proof === NO_PROOF ? hop.headers : withProof(hop.headers, proof),
    body,
    mayHaveRun,
    signal: request.signal,
    timeoutMs: request.timeoutMs,
    inlineBytes: request.inlineBytes,
    maxBytes: request.maxBytes,
  }
  const pool = pools.get(url, reachOfHop)
  try {
    const response = await exchange(pool.kept, options)
    pool.hasAnswered = true
    return response
  } catch (error) {
    // The server may have closed a connection that was kept open while the request was on its way.
    const wasKept = pool.hasAnswered && (error as RequestFailed).code === 'no_response'
    if (!wasKept || (method !== 'GET' && method !== 'HEAD')) throw error
    return exchange(pools.get(url, reachOfHop).fresh, { ...options, mayHaveRun: true })
  }
}

/** A caller's header must not replace the credential: the caller would be someone else than the operator configured. */
function withProof(headers: readonly string[], { headers: proof = {}, cookies }: Proof): string[] {
  const isReplaced = (name: string): boolean => Object.hasOwn(proof, name)
  const list = filterHeaders(headers, (name) => !isReplaced(name) && !(cookies && name === 'cookie'))
  for (const name of Object.keys(proof)) list.push(name, proof[name]!)
  if (!cookies) return list
  const before = filterHeaders(headers, (name) => name === 'cookie').filter((_, at) => at % 2 === 1)
  list.push('cookie', withCookies(before, cookies))
  return list
}

function discard({ body }: ExchangeResponse): void {
  if (body instanceof Readable) body.destroy()
}

function toFailure(error: unknown, now: { signal: StopSignal; mayHaveRun: boolean }): unknown {
  const { signal, mayHaveRun } = now
  if (error instanceof RequestFailed) return error
  if (error instanceof AddressRefused || error instanceof ForeignOrigin)
    return new RequestFailed(error.message, { code: error.code, mayHaveRun })
  return signal.aborted ? stopped(signal, mayHaveRun) : error
}

const refused = (message: string): RequestFailed =>
  new RequestFailed(message, { code: 'address_refused', mayHaveRun: false })

const unsendable = (message: string): RequestFailed =>
  new RequestFailed(message, { code: 'invalid_request', mayHaveRun: false })
