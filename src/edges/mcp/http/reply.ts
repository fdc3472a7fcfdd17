import type { ServerResponse } from 'node:http'
import type { JsonObject, JsonRpcId } from '../../../sources/mcp/protocol/json-rpc.js'
import { sendJsonText, type ExtraHeaders } from '../../server/respond.js'
import { toJson } from '../to-json.js'

/** The error code for refusals at the level of HTTP. The protocol defines none. */
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
  headers?: ExtraHeaders,
): void {
  if (response.headersSent || response.destroyed) return
  sendJsonText(response, status, toJson(body) ?? '', headers)
}

export interface ErrorReply {
  readonly status: number
  readonly error: WireError
  readonly id?: JsonRpcId | null | undefined
  readonly headers?: ExtraHeaders | undefined
}

export function sendError(response: ServerResponse, { status, error, id = null, headers }: ErrorReply): void {
  sendJson(response, status, { jsonrpc: '2.0', error, id }, headers)
}

/** Refuses a request at the level of HTTP, with one sentence. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers?: ExtraHeaders,
): void {
  sendError(response, { status, error: { code: HTTP_REFUSAL, message }, headers })
}

export function success(id: JsonRpcId, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result }
}

export function failure(id: JsonRpcId, error: WireError): JsonObject {
  return { jsonrpc: '2.0', id, error }
}
