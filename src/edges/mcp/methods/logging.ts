import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Exchange } from '../gateway.js'
import { invalidParams } from '../invalid-params.js'
import { isLogLevel, logLevels } from '../log-levels.js'
import type { Connection } from '../connection.js'

/** Sets the lowest level of log messages that this session gets. */
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
