import { isTooDeep } from '../../../platform/json/too-deep.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Exchange } from '../gateway.js'
import { passesLevel, isLogLevel } from '../log-levels.js'
import type { Connection } from '../connection.js'

/** Forwards a notification of a tool, if this client requested such notifications. */
export function notifyClient(
  { exchange, connection }: { exchange: Exchange; connection: Pick<Connection, 'logLevel'> },
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
      if (isLogLevel(least) && passesLevel(params['level'], least)) exchange.notify(method, params)
      return
    }
    default:
      exchange.notify(method, params)
  }
}
