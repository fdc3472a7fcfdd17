import { sameJson } from '../../platform/json/same-json.js'

/**
 * What the schema should read when somebody replaced the input it had made. Whoever replaces it saw transformed values;
 * what they left as they saw it is taken from the source, so that no transform is applied twice.
 */
export function rebaseInput(source: unknown, shown: unknown, updated: unknown): unknown {
  if (sameJson(shown, updated)) return source
  if (!isPlain(source) || !isPlain(shown) || !isPlain(updated)) return updated
  const rebased: Record<string, unknown> = {}
  for (const key of Object.keys(updated)) {
    const isKept = Object.hasOwn(shown, key) && sameJson(shown[key], updated[key])
    // Left as it was, but not in the source: a default, which the schema fills in again.
    if (isKept && !Object.hasOwn(source, key)) continue
    rebased[key] = Object.hasOwn(source, key)
      ? rebaseInput(source[key], shown[key], updated[key])
      : updated[key]
  }
  return Object.freeze(rebased)
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
