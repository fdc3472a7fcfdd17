import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Exchange } from '../gateway.js'
import { invalidParams } from '../invalid-params.js'
import { isLogLevel, logLevels } from '../log-levels.js'
import type { Place } from '../connection.js'

/** From now on this session hears messages of at least this level. */
export async function setLogLevel(
  { level }: JsonObject,
  _exchange: Exchange,
  place: Place,
): Promise<JsonObject> {
  if (!isLogLevel(level)) throw invalidParams(`"level" must be one of ${logLevels.join(', ')}.`)
  place.logLevel = level
  place.house.logLevels.set(place.id, level)
  return {}
}
