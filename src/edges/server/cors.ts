import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CorsRules } from './request-handler.js'

/** Lets pages of the named origins read the answer. Nothing is said to any other, and never a wildcard. */
export function allowOrigin(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  { allowedOrigins, rules }: { allowedOrigins: readonly string[]; rules: CorsRules },
): void {
  const { origin } = headers
  if (origin === undefined || !allowedOrigins.includes(origin)) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'Origin')
  response.setHeader('access-control-expose-headers', rules.exposedHeaders)
  if (method !== 'OPTIONS') return
  response.setHeader('access-control-allow-methods', rules.methods)
  response.setHeader('access-control-allow-headers', rules.allowedHeaders(headers))
  response.setHeader('access-control-max-age', '600')
}
