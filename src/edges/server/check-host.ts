import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '../../http-client/is-loopback.js'

/**
 * A page that a browser loaded from elsewhere can reach loopback under a name of its own (DNS rebinding); its Host and
 * Origin give it away. Returns why the request is refused, or nothing.
 */
export function checkHost(
  headers: IncomingHttpHeaders,
  allowed: { readonly allowedHosts: readonly string[]; readonly allowedOrigins: readonly string[] },
): string | undefined {
  const host = headers.host?.toLowerCase()
  if (host === undefined || host === '') return 'The request has no Host header.'
  const name = nameOf(host)
  const known = isLoopback(name) || allowed.allowedHosts.includes(host) || allowed.allowedHosts.includes(name)
  if (!known)
    return 'This Host is not served here. Add it to the allowed hosts to be reached under that name.'
  const { origin } = headers
  if (origin === undefined || allowed.allowedOrigins.includes(origin)) return undefined
  if (isLoopbackOrigin(origin)) return undefined
  return 'This Origin may not call. Add it to the allowed origins to let its pages in.'
}

function nameOf(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.lastIndexOf(':')
  return end <= 0 ? host : host.slice(0, end)
}

function isLoopbackOrigin(origin: string): boolean {
  const match = /^https?:\/\/(\[[0-9a-f:]+\]|[^/:@[\]]+)(?::\d{1,5})?$/i.exec(origin)
  return match !== null && isLoopback(match[1]!.toLowerCase())
}
