import { isJsonObject, type JsonRpcFailure, type JsonRpcResponse } from '../protocol/json-rpc.js'

/** Some servers write an error of null beside their result: that is none. */
export function isFailure(response: JsonRpcResponse): response is JsonRpcFailure {
  return 'error' in response && isJsonObject(response.error)
}
