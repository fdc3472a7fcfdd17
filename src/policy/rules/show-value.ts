import { toJson } from '../../platform/json/to-json.js'

const MAX_CHARS = 80

/** A value of unknown make as a person may read it: never an exception, never an essay. */
export function showValue(value: unknown): string {
  const plain = toJson(value)
  return (plain === undefined ? typeof value : JSON.stringify(plain)).slice(0, MAX_CHARS)
}
