import { isObject } from '../../platform/json/is-object.js'
import { sameJson } from '../../platform/json/same-json.js'

/**
 * The input that the schema reads after a replacement. The author of the replacement saw transformed values; fields
 * that they left unchanged are taken from the source, so that no transform is applied twice.
 */
export function rebaseInput(source: unknown, shown: unknown, updated: unknown): unknown {
  if (sameJson(shown, updated)) return source
  if (!isObject(source) || !isObject(shown) || !isObject(updated)) return updated
  const rebased: Record<string, unknown> = {}
  for (const key of Object.keys(updated)) {
    const isKept = Object.hasOwn(shown, key) && sameJson(shown[key], updated[key])
    // Unchanged, but not in the source: a default, which the schema fills in again.
    if (isKept && !Object.hasOwn(source, key)) continue
    rebased[key] = Object.hasOwn(source, key)
      ? rebaseInput(source[key], shown[key], updated[key])
      : updated[key]
  }
  return Object.freeze(rebased)
}
