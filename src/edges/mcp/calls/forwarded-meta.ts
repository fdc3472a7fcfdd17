import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { connectionKeys, metaKeys, OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Exchange } from '../gateway.js'
import type { Connection } from '../connection.js'

/** The part of a request's `_meta` that is forwarded to the tool's server: traces and the log level. */
export function forwardedMeta(
  { meta, era }: Exchange,
  { logLevel }: Pick<Connection, 'logLevel'>,
): JsonObject | undefined {
  let forwarded: JsonObject | undefined
  for (const key in meta) if (isForwarded(key)) (forwarded ??= {})[key] = meta[key]
  const level = era === 'modern' ? meta?.[metaKeys.logLevel] : logLevel
  if (level !== undefined) (forwarded ??= {})[metaKeys.logLevel] = level
  return forwarded
}

/** The log level is set separately, and the gateway's own facts are not for servers. */
function isForwarded(key: string): boolean {
  return !connectionKeys.has(key) && key !== metaKeys.logLevel && key !== OWN_META_KEY
}
