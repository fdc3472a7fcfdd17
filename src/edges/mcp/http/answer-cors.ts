import type { IncomingMessage, ServerResponse } from 'node:http'

const ALLOWED_HEADERS =
  'authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name'
const EXPOSED_HEADERS = 'mcp-session-id, www-authenticate, retry-after'

/** Lets pages of the named origins read the answer. Nothing is said to any other, and never a wildcard. */
export function allowOrigin(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  allowedOrigins: readonly string[],
): void {
  const { origin } = headers
  if (origin === undefined || !allowedOrigins.includes(origin)) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'Origin')
  response.setHeader('access-control-expose-headers', EXPOSED_HEADERS)
  if (method !== 'OPTIONS') return
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  response.setHeader('access-control-allow-headers', [ALLOWED_HEADERS, ...paramHeaders(headers)].join(', '))
  response.setHeader('access-control-max-age', '600')
}

/** Which arguments are repeated in headers depends on the tool; the browser says which it is about to send. */
function paramHeaders(headers: IncomingMessage['headers']): string[] {
  const asked = headers['access-control-request-headers'] ?? ''
  return asked
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name))
}
