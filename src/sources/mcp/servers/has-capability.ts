import { isJsonObject } from '../protocol/json-rpc.js'
import type { ServerFacts } from '../connection/connection.js'

export function hasCapability({ capabilities }: ServerFacts, name: string): boolean {
  return isJsonObject(capabilities[name])
}
