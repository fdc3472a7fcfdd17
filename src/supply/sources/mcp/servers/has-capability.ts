import { isJsonObject } from '../../../../foundation/mcp/json-rpc.js'
import type { ServerFacts } from '../connection.js'

export function hasCapability({ capabilities }: ServerFacts, name: string): boolean {
  return isJsonObject(capabilities[name])
}
