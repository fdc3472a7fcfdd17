import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Exchange } from '../gateway.js'
import { invalidParams } from '../invalid-params.js'
import { isLogLevel, logLevels } from '../log-levels.js'
import type { Connection } from '../connection.js'

/** From now on this session hears messages of at least this level. */
export async function setLogLevel(
  { level }: JsonObject,
  _exchange: Exchange,
  connection: Connection,
): Promise<JsonObject> {
  if (!isLogLevel(level)) throw invalidParams(`"level" must be one of ${logLevels.join(', ')}.`)
  connection.logLevel = level
  connection.gateway.logLevels.set(connection.id, level)
  return {}
}
