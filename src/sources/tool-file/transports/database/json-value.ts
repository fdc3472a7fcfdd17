import { isObject } from '../../../../platform/json/is-object.js'
import type { Column } from './session.js'

/** The JSON types that a schema allows; undefined where it says nothing. */
export type Wanted = ReadonlySet<string> | undefined

export function wantedTypes(schema: unknown): Wanted {
  const { type } = isObject(schema) ? schema : {}
  if (typeof type === 'string') return new Set([type])
  return Array.isArray(type) ? new Set(type as string[]) : undefined
}

/**
 * A value of a column as JSON. The schema of the column decides where a type has several forms:
 *
 * - A number that JSON cannot hold exactly is a text, or a number where only a number is allowed.
 * - 0 and 1 are false and true where only a boolean is allowed.
 * - A text is parsed where only an object or an array is allowed: some engines have JSON as text.
 * - Anything is a text where only a text is allowed.
 * - Bytes are Base64; dates and times are texts as in JSON Schema, in UTC where the type has a time zone.
 */
export function toJsonValue(value: unknown, column: Column, wanted: Wanted): unknown {
  const plain = toPlain(value, column)
  if (!wanted || plain === null) return plain
  const allows = (type: string): boolean => wanted.has(type)
  const allowsNumber = allows('number') || allows('integer')
  if (typeof plain === 'string' && !allows('string')) {
    if (allowsNumber && plain.trim() !== '' && Number.isFinite(Number(plain))) return Number(plain)
    if (allows('boolean')) return BOOLEANS.get(plain.toLowerCase()) ?? plain
    if (allows('object') || allows('array')) return parsed(plain)
  }
  if (typeof plain === 'number' && !allowsNumber) {
    if (allows('boolean') && (plain === 0 || plain === 1)) return plain === 1
    if (allows('string')) return typeof value === 'string' ? value : String(plain)
  }
  if (typeof plain === 'boolean' && !allows('boolean')) {
    if (allowsNumber) return plain ? 1 : 0
    if (allows('string')) return String(plain)
  }
  if (typeof plain === 'object' && !allows('object') && !allows('array') && allows('string'))
    return JSON.stringify(plain)
  return plain
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['t', true],
  ['true', true],
  ['1', true],
  ['f', false],
  ['false', false],
  ['0', false],
])

function toPlain(value: unknown, { isNumber }: Column): unknown {
  switch (typeof value) {
    case 'string':
      return isNumber ? exactNumber(value) : value
    case 'bigint':
      return exactNumber(String(value))
    case 'number':
      // JSON has no such numbers; their names are what a reader expects.
      return Number.isFinite(value) ? value : String(value)
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : objectToPlain(value)
    default:
      return null
  }
}

function objectToPlain(value: object): unknown {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map((each) => toPlain(each, NOT_A_NUMBER))
  // Such as a value of a library's own class.
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toPlain(each, NOT_A_NUMBER)]))
}

const NOT_A_NUMBER: Column = { name: '', type: '' }

/** A number where it says exactly the same, else the text. */
function exactNumber(text: string): number | string {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return text
  return digitsOf(text) === digitsOf(String(number)) ? number : text
}

/** The sign, the digits that count, and the power of ten. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^\s*([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?\s*$/.exec(text) ?? []
  const all = (whole + part).replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  if (digits === '') return '0'
  const exponent = Number(power) - part.length + (all.length - digits.length)
  return `${sign === '-' ? '-' : ''}${digits}e${exponent}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
