import type { ServerResponse } from 'node:http'
import type { JsonObject, JsonRpcId } from '../../../sources/mcp/protocol/json-rpc.js'
import { toJson } from '../to-json.js'

/** The code for what only HTTP is unhappy about; the protocol leaves it to servers. */
export const HTTP_REFUSAL = -32_000

export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers?: JsonHeaders,
): void {
  if (response.headersSent || response.destroyed) return
  const text = toJson(body) ?? ''
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

export type JsonHeaders = Readonly<Record<string, string>>

export interface ErrorReply {
  readonly status: number
  readonly error: WireError
  readonly id?: JsonRpcId | null | undefined
  readonly headers?: JsonHeaders | undefined
}

export function sendError(response: ServerResponse, { status, error, id = null, headers }: ErrorReply): void {
  sendJson(response, status, { jsonrpc: '2.0', error, id }, headers)
}

/** A refusal in one sentence, of HTTP rather than of the protocol. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers?: JsonHeaders,
): void {
  sendError(response, { status, error: { code: HTTP_REFUSAL, message }, headers })
}

export function sendEmpty(response: ServerResponse, status: number, headers?: JsonHeaders): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    'content-length': 0,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end()
}

export function success(id: JsonRpcId, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result }
}

export function failure(id: JsonRpcId, error: WireError): JsonObject {
  return { jsonrpc: '2.0', id, error }
}
