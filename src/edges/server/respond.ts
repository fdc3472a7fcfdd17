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
  response.writeHead(status, headers === undefined ? usual : [...usual, ...Object.entries(headers).flat()])
  response.end(text)
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
