import type { IncomingHttpHeaders } from 'node:http'

/** A token as RFC 6750 spells it, and no longer than a header sensibly is. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]{1,16384}=*) *$/i

/** The token of a request. Only the header counts: what stands in an address ends up in logs. */
export function bearerToken({ authorization }: IncomingHttpHeaders): string | 'none' | 'malformed' {
  if (authorization === undefined || authorization === '') return 'none'
  return BEARER.exec(authorization)?.[1] ?? 'malformed'
}
