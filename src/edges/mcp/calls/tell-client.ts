import { isTooDeep } from '../../../sources/mcp/protocol/is-too-deep.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Exchange } from '../gateway.js'
import { isHeard, isLogLevel } from '../log-levels.js'
import type { Connection } from '../connection.js'

/** Hands on what a tool says meanwhile, if this client wants to hear it. */
export function tellClient(
  { exchange, connection }: { exchange: Exchange; connection: Connection },
  method: string,
  params: JsonObject,
): void {
  if (isTooDeep(params)) return
  switch (method) {
    case 'notifications/progress': {
      const progressToken = exchange.meta?.['progressToken']
      if (progressToken !== undefined) exchange.notify(method, { ...params, progressToken })
      return
    }
    case 'notifications/message': {
      const least =
        exchange.era === 'modern' ? exchange.meta?.[metaKeys.logLevel] : (connection.logLevel ?? 'debug')
      if (isLogLevel(least) && isHeard(params['level'], least)) exchange.notify(method, params)
      return
    }
    default:
      exchange.notify(method, params)
  }
}
