import type { IncomingHttpHeaders } from 'node:http'
import type { Proof } from './credential.js'
import { checkAddress } from './address-rules.js'

/** One request of a chain of redirects. */
export interface Hop {
  readonly method: string
  /** Its origin counts; the path is apart. */
  readonly url: URL
  /** The path and query, exactly as they are sent. */
  readonly path: string
  /** Names in lower case and values, in turns. */
  readonly headers: string[]
  readonly body: string | Uint8Array | undefined
  /** Whether the chain has not left its first origin: only then credentials are sent, and the reach is that of the request. */
  readonly isOwn: boolean
}

export interface RedirectResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Hosts other than the current one that may be followed to, as in `URL.host`. */
  readonly redirectHosts: readonly string[]
  /** The parameters that were sent as a credential. */
  readonly credentialQuery: Proof['query']
}

/** All that another origin gets: other headers may hold secrets of the first one. */
const HEADERS_FOR_OTHERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'range',
  'user-agent',
])

export const isRedirect = (status: number): boolean =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308

/**
 * The request that a redirect leads to; undefined where it is not followed. GET and HEAD are followed within the origin
 * and to the hosts that are listed, other methods only within the origin. 301 and 302 of other methods are not followed:
 * clients disagree about what they mean.
 */
export function nextHop(hop: Hop, response: RedirectResponse): Hop | undefined {
  const method = methodAfter(hop.method, response.status)
  const url = targetOf(new URL(hop.url.origin + hop.path), response.headers.location)
  if (method === undefined || url === undefined) return undefined
  const isSame = url.origin === hop.url.origin
  if (!isSame && !mayLeave(hop, url, response)) return undefined
  if (isSame) removeParameters(url, response.credentialQuery)
  const isChanged = method !== hop.method
  return {
    method,
    url,
    path: url.pathname + url.search,
    headers: filterHeaders(hop.headers, (name) =>
      isSame ? !(isChanged && name.startsWith('content-')) : HEADERS_FOR_OTHERS.has(name),
    ),
    body: isChanged ? undefined : hop.body,
    isOwn: hop.isOwn && isSame,
  }
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

function methodAfter(method: string, status: number): string | undefined {
  if (isRead(method)) return method
  if (status === 303) return 'GET'
  return status === 307 || status === 308 ? method : undefined
}

function targetOf(base: URL, location: string | string[] | undefined): URL | undefined {
  if (typeof location !== 'string') return undefined
  // Header values are read as Latin-1, and servers write UTF-8.
  const text = Buffer.from(location, 'latin1').toString('utf8')
  if (!URL.canParse(text, base.href)) return undefined
  const url = new URL(text, base)
  const isPlain = url.username === '' && url.password === '' && /^https?:$/.test(url.protocol)
  url.hash = ''
  return isPlain ? url : undefined
}

function mayLeave(hop: Hop, url: URL, { redirectHosts, credentialQuery = {} }: RedirectResponse): boolean {
  if (!isRead(hop.method) || hop.body !== undefined) return false
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:') return false
  if (!redirectHosts.includes(url.host)) return false
  // A server may repeat what it was sent.
  const secrets = Object.values(credentialQuery)
  if ([...url.searchParams.values()].some((value) => secrets.includes(value))) return false
  try {
    checkAddress(url, 'outside')
    return true
  } catch {
    return false
  }
}

/** They are added again when the request is sent, and stay out of the address that is reported. */
function removeParameters(url: URL, query: Proof['query']): void {
  // Deleting writes the whole query anew, also where there is nothing to delete.
  for (const name of Object.keys(query ?? {})) if (url.searchParams.has(name)) url.searchParams.delete(name)
}

/** The headers whose name passes. */
export function filterHeaders(headers: readonly string[], passes: (name: string) => boolean): string[] {
  const kept: string[] = []
  for (let at = 0; at < headers.length; at += 2)
    if (passes(headers[at]!)) kept.push(headers[at]!, headers[at + 1]!)
  return kept
}
