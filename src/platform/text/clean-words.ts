import { cleanText } from './clean-text.js'

/** Members with text for readers, at any depth. */
const WORDS = new Set(['title', 'description', '$comment', 'enumNames'])
/** Members whose values are data: another character would be another value. */
const VALUES = new Set(['default', 'const', 'enum', 'examples', '_meta', 'pattern'])
/** Members whose keys are names that others chose. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])
const MAX_LEVELS = 200

/**
 * A definition or schema of others without hidden characters in its titles and descriptions; names and values are
 * unchanged. Returns the same object where nothing was hidden.
 */
export function cleanWords<Value>(value: Value): Value {
  return cleaned(value, MAX_LEVELS) as Value
}

function cleaned(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return changed(value, (inner) => cleaned(inner, levels - 1))
  return changed(value, (inner, key) => {
    if (WORDS.has(key) && typeof inner === 'string') return cleanText(inner)
    if (WORDS.has(key) && Array.isArray(inner)) return changed(inner, textOrSame)
    if (VALUES.has(key)) return inner
    if (MAPS.has(key) && typeof inner === 'object' && inner !== null)
      return changed(inner, (each) => cleaned(each, levels - 1))
    return cleaned(inner, levels - 1)
  })
}

function textOrSame(value: unknown): unknown {
  return typeof value === 'string' ? cleanText(value) : value
}

/** A copy where a member changes, the same object otherwise. */
function changed(value: object, change: (inner: unknown, key: string) => unknown): object {
  let copy: Record<string, unknown> | unknown[] | undefined
  for (const [key, inner] of Object.entries(value)) {
    const next = change(inner, key)
    if (next === inner) continue
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value }
    ;(copy as Record<string, unknown>)[key] = next
  }
  return copy ?? value
}

/** Cleans every text in a value of others, for values that only people and models read, such as a log line. */
export function cleanAllText<Value>(value: Value, levels = MAX_LEVELS): Value {
  if (typeof value === 'string') return cleanText(value) as Value
  if (typeof value !== 'object' || value === null || levels === 0) return value
  return changed(value, (inner) => cleanAllText(inner, levels - 1)) as Value
}
