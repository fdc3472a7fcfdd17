import { isObject } from '../../../../platform/json/is-object.js'
import { smallData } from './small-data.js'

// What documents write where a keyword of JSON Schema has another type or another spelling.

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const OTHER_TYPES = new Map([
  ['int', 'integer'],
  ['int32', 'integer'],
  ['int64', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['bool', 'boolean'],
  ['str', 'string'],
  ['text', 'string'],
  ['file', 'string'],
  ['date', 'string'],
  ['datetime', 'string'],
  ['date-time', 'string'],
  ['uuid', 'string'],
  ['list', 'array'],
  ['dict', 'object'],
  ['map', 'object'],
])

/** A name of a type, or a list of them. Undefined for `any` and for words that mean nothing here. */
export function typeOf(value: unknown): string | string[] | undefined {
  if (!Array.isArray(value)) return oneType(value)
  const types = value.map(oneType)
  // A list with an unknown type may allow anything.
  if (types.length === 0 || types.includes(undefined)) return undefined
  const known = [...new Set(types as string[])]
  return known.length === 1 ? known[0] : known
}

function oneType(value: unknown): string | undefined {
  if (typeof value !== 'string') return value === null ? 'null' : undefined
  const name = value.trim().toLowerCase()
  return TYPES.has(name) ? name : OTHER_TYPES.get(name)
}

/** Some documents quote their numbers. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export function countOf(value: unknown): number | undefined {
  const number = numberOf(value)
  return number !== undefined && number >= 0 && number <= Number.MAX_SAFE_INTEGER
    ? Math.floor(number)
    : undefined
}

export function namesIn(values: readonly unknown[]): string[] {
  return [...new Set(values.filter((each): each is string => typeof each === 'string'))]
}

const MAX_PATTERN_CHARS = 2_000

/**
 * A pattern that JSON Schema can use. Needless escapes are removed, and the slashes of a literal such as `/^a$/`.
 * Patterns of other languages, such as `(?i)abc`, cannot be checked here.
 */
export function patternOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_PATTERN_CHARS) return undefined
  const literal = /^\/(\^.*|.*\$)\/$/s.exec(value)?.[1] ?? value
  if (isPattern(literal, 'u')) return literal
  if (!isPattern(literal, '')) return undefined
  const clean = withoutNeedlessEscapes(literal)
  return isPattern(clean, 'u') ? clean : undefined
}

/** With the flag that JSON Schema uses, only characters with a meaning can be escaped. */
function withoutNeedlessEscapes(pattern: string): string {
  let isInClass = false
  return pattern.replaceAll(/\\([^])|[[\]]/g, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      isInClass = found === '['
      return found
    }
    const isNeeded = /[A-Za-z\d^$\\.*+?()[\]{}|/]/.test(escaped) || (escaped === '-' && isInClass)
    return isNeeded ? found : escaped
  })
}

function isPattern(pattern: string, flags: string): boolean {
  try {
    void new RegExp(pattern, flags)
    return true
  } catch {
    return false
  }
}

const MAX_DATA_CHARS = 2_000

/** A default or a constant. */
export function dataOf(value: unknown): unknown {
  return smallData(value, MAX_DATA_CHARS)
}

const MAX_VALUES = 1_000
const MAX_VALUES_CHARS = 20_000

export type AllowedValues =
  | { readonly values: readonly unknown[] }
  /** Too many to be listed: the first ones, and how many there are. */
  | { readonly count: number; readonly first: readonly unknown[] }

/** The values of an `enum`, in the type that the schema has. */
export function valuesOf(value: unknown, type: unknown): AllowedValues | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const few = value.slice(0, MAX_VALUES)
  const data = value.length > MAX_VALUES ? undefined : smallData(few, MAX_VALUES_CHARS)
  if (!Array.isArray(data)) {
    const first = few.slice(0, 5).map((each) => smallData(each, 100))
    return { count: value.length, first: first.filter((each) => each !== undefined) }
  }
  const byText = new Map<string, unknown>()
  for (const each of data) {
    const typed = toType(each, type)
    byText.set(JSON.stringify(typed), typed)
  }
  return { values: [...byText.values()] }
}

/** YAML reads `yes` and `1` as a boolean and a number where a text was meant, and documents quote numbers. */
export function toType(value: unknown, type: unknown): unknown {
  const types = Array.isArray(type) ? (type as unknown[]) : [type]
  if (type === undefined || types.some((each) => isOfType(value, each))) return value
  if (typeof value === 'number' || typeof value === 'boolean')
    return types.includes('string') ? String(value) : value
  if (typeof value !== 'string') return value
  if ((types.includes('integer') || types.includes('number')) && numberOf(value) !== undefined)
    return Number(value)
  return types.includes('boolean') && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value
}

export function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default: // string, number, boolean
      return typeof value === type
  }
}
