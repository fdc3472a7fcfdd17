import type { IncomingMessage } from 'node:http'

/** The origin of this server as the sender of a request knows it. */
export interface OwnOrigin {
  readonly origin: string
  /** Whether the browser reached it over https. */
  readonly isSecure: boolean
}

/** The server has checked the Host header before. A proxy that ends TLS is known by the public address only. */
export function ownOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): OwnOrigin {
  const host = headers.host?.toLowerCase() ?? ''
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  const origin = known !== undefined && known.host === host ? known.origin : `http://${host}`
  return { origin, isSecure: origin.startsWith('https:') }
}

/**
 * Why the page that sent a request may not use the cookie of this server; undefined where it may. Cookies ignore ports:
 * a page of another server on this machine sends the same cookie, and is told apart by these headers.
 */
export function foreignPage(
  { headers }: IncomingMessage,
  { origin }: OwnOrigin,
  allowedOrigins: readonly string[],
): string | undefined {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'Only pages of this server may use its session.'
  const from = headers.origin
  if (from === undefined || from === origin || allowedOrigins.includes(from)) return undefined
  return 'Only pages of this server may use its session.'
}
