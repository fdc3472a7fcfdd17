import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { connectionKeys, metaKeys, OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Exchange } from '../gateway.js'
import type { Connection } from '../connection.js'

/** What of a request's `_meta` goes on to the server behind the tool: traces, and how much it is to log. */
export function forwardedMeta({ meta, era }: Exchange, { logLevel }: Connection): JsonObject | undefined {
  let forwarded: JsonObject | undefined
  for (const key in meta) if (isForwarded(key)) (forwarded ??= {})[key] = meta[key]
  const level = era === 'modern' ? meta?.[metaKeys.logLevel] : logLevel
  if (level !== undefined) (forwarded ??= {})[metaKeys.logLevel] = level
  return forwarded
}

/** How much is to be logged is said anew, and what this gateway says of its calls is its own. */
function isForwarded(key: string): boolean {
  return !connectionKeys.has(key) && key !== metaKeys.logLevel && key !== OWN_META_KEY
}
