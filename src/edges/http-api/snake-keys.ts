import { isObject } from '../../platform/json/is-object.js'

/** Names of our own objects as the API writes them: `invocationId` becomes `invocation_id`. */
export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeKeys(each),
    ]),
  )
}
