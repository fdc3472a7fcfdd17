import type { ServerResponse } from 'node:http'

export type ExtraHeaders = Readonly<Record<string, string>>

/** Sends a JSON text. Does nothing where the headers were sent already. */
export function sendJsonText(
  response: ServerResponse,
  status: number,
  text: string,
  headers?: ExtraHeaders,
): void {
  if (response.headersSent || response.destroyed) return
  const usual = [
    'content-type',
    'application/json',
    'content-length',
    String(Buffer.byteLength(text)),
    'cache-control',
    'no-store',
    'x-content-type-options',
    'nosniff',
  ]
  response.writeHead(status, headers === undefined ? usual : overridden(usual, headers))
  response.end(text)
}

/** Names in `headers` are lower-case, and replace the usual ones. */
function overridden(usual: readonly string[], headers: ExtraHeaders): string[] {
  const kept = usual.flatMap((name, at) => (at % 2 === 0 && !(name in headers) ? [name, usual[at + 1]!] : []))
  return [...kept, ...Object.entries(headers).flat()]
}

export function sendEmpty(response: ServerResponse, status: number, headers?: ExtraHeaders): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    'content-length': 0,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end()
}
