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

/** The same depth limit as for the input of a call. */
export const MAX_LEVELS = 200

/**
 * Whether a parsed value has so many levels that code that reads or writes it might run out of stack. Never recurses
 * deeper than the limit.
 */
export function isTooDeep(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isTooDeep(item, levels - 1)) return true
    return false
  }
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}
