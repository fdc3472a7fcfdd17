import { toJson } from '../../platform/json/to-json.js'

const MAX_CHARS = 80

/** Any value as readable text: never throws, and is never long. */
export function showValue(value: unknown): string {
  const plain = toJson(value)
  return (plain === undefined ? typeof value : JSON.stringify(plain)).slice(0, MAX_CHARS)
}
