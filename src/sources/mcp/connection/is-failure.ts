import { isObject } from '../../../platform/json/is-object.js'
import type { JsonRpcFailure, JsonRpcResponse } from '../protocol/json-rpc.js'

/** Some servers send `error: null` beside their result: that is no failure. */
export function isFailure(response: JsonRpcResponse): response is JsonRpcFailure {
  return 'error' in response && isObject(response.error)
}
