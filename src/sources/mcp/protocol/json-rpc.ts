import { isObject } from '../../../platform/json/is-object.js'

export type JsonRpcId = string | number
export type JsonObject = Record<string, unknown>

export interface JsonRpcRequest {
  jsonrpc: '2.0'
  id: JsonRpcId
  method: string
  params?: JsonObject
}

export interface JsonRpcNotification {
  jsonrpc: '2.0'
  method: string
  params?: JsonObject
}

export interface JsonRpcSuccess {
  jsonrpc: '2.0'
  id: JsonRpcId
  result: JsonObject
}

export interface JsonRpcFailure {
  jsonrpc: '2.0'
  /** `null` where the request could not be read. */
  id: JsonRpcId | null
  error: { code: number; message: string; data?: unknown }
}

export type JsonRpcResponse = JsonRpcSuccess | JsonRpcFailure
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse

/** Classifies a received value; undefined for a value that is no message. */
export function messageKind(value: unknown): 'request' | 'notification' | 'response' | undefined {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return undefined
  const { id, method, params } = value
  if (typeof method === 'string') {
    if (params !== undefined && !isObject(params)) return undefined
    if (id === undefined) return 'notification'
    return isId(id) ? 'request' : undefined
  }
  if (isObject(value['error'])) return id === null || id === undefined || isId(id) ? 'response' : undefined
  return isId(id) && isObject(value['result']) ? 'response' : undefined
}

function isId(value: unknown): value is JsonRpcId {
  return typeof value === 'string' || typeof value === 'number'
}
