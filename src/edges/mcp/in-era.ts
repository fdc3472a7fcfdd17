import type { JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import type { Era } from '../../sources/mcp/protocol/revisions.js'

/** A final result as its era spells it. Changes what it is given, which is always new. */
export function complete(result: JsonObject, era: Era): JsonObject {
  if (era === 'modern') result['resultType'] = 'complete'
  else delete result['resultType']
  return result
}

/** A result that may be kept for a while. What one caller sees is nothing for another. */
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
