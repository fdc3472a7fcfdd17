import { isObject } from '../../../platform/json/is-object.js'
import type { ServerFacts } from '../connection/connection.js'

export function hasCapability({ capabilities }: ServerFacts, name: string): boolean {
  return isObject(capabilities[name])
}
