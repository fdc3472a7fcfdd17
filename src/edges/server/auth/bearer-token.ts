import type { IncomingHttpHeaders } from 'node:http'

/** A token as RFC 6750 defines it, with a limit on its length. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]{1,16384}=*) *$/i

/** The token of a request. Only the header counts, because URLs end up in logs. */
export function bearerToken({ authorization }: IncomingHttpHeaders): string | 'none' | 'malformed' {
  if (authorization === undefined || authorization === '') return 'none'
  return BEARER.exec(authorization)?.[1] ?? 'malformed'
}
