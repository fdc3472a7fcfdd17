import type { JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import type { Era } from '../../sources/mcp/protocol/revisions.js'

/** A final result in the format of its era. Changes the given object, which must be new. */
export function complete(result: JsonObject, era: Era): JsonObject {
  if (era === 'modern') result['resultType'] = 'complete'
  else delete result['resultType']
  return result
}

/** A result that clients may cache. The scope is private: another caller may see other things. */
export function cacheable(result: JsonObject, era: Era, ttlMs: number): JsonObject {
  if (era === 'modern') {
    result['ttlMs'] = ttlMs
    result['cacheScope'] = 'private'
  } else {
    delete result['ttlMs']
    delete result['cacheScope']
  }
  return complete(result, era)
}
