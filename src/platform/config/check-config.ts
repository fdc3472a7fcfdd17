import { isObject } from '../json/is-object.js'
import { truncateAfter } from '../text/truncate.js'
import type { CheckedSchema } from './schema/checked-schema.js'
import { currentSchema } from './schema/current-schema.js'
import { nearestWord } from './nearest-word.js'

export type ConfigPath = readonly (string | number)[]

/** One problem, with its path in the value; the loader knows the line. */
export interface ConfigFinding {
  path: ConfigPath
  message: string
}

/** Everything that is wrong with a config, not only the first thing. Ajv would cost its load time at each start. */
export function checkConfig(value: unknown, schema: CheckedSchema = currentSchema()): ConfigFinding[] {
  const findings: ConfigFinding[] = []
  check(value, schema, [], findings)
  return findings
}

function check(value: unknown, schema: CheckedSchema, path: ConfigPath, findings: ConfigFinding[]): void {
  if (schema.anyOf) {
    // Report what is wrong inside the option of the value's own kind; "matches none" would not help.
    const option = schema.anyOf.find((candidate) => isOfKind(value, candidate))
    if (option) return check(value, option, path, findings)
  }
  if (!isOfKind(value, schema)) {
    const subject = path.length === 0 ? 'the config' : `"${pathText(path)}"`
    const message = `${subject} must be ${expected(schema)}, not ${actual(value)}${suggestion(value, schema)}`
    findings.push({ path, message })
    return
  }
  if (Array.isArray(value) && schema.items) {
    for (const [index, item] of value.entries()) check(item, schema.items, [...path, index], findings)
  }
  if (schema.properties) checkMembers(value as object, schema, path, findings)
  if (schema.required) checkRequired(value as object, schema.required, path, findings)
  if (schema.additionalProperties) {
    for (const [key, member] of Object.entries(value as object))
      if (!schema.properties || !Object.hasOwn(schema.properties, key))
        check(member, schema.additionalProperties, [...path, key], findings)
  }
}

function checkRequired(
  value: object,
  required: readonly string[],
  path: ConfigPath,
  findings: ConfigFinding[],
): void {
  const missing = required.filter(
    (key) => !Object.hasOwn(value, key) || Reflect.get(value, key) === undefined,
  )
  if (missing.length === 0) return
  const keys = missing.map(quoted).join(' and ')
  findings.push({ path, message: `"${pathText(path)}" needs ${keys}` })
}

function checkMembers(
  value: object,
  { properties = {}, additionalProperties }: CheckedSchema,
  path: ConfigPath,
  findings: ConfigFinding[],
): void {
  const known = Object.keys(properties)
  for (const [key, member] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) {
      // A TypeScript config may write `actor: process.env.ACTOR`; undefined is the same as not written.
      if (member !== undefined) check(member, properties[key]!, [...path, key], findings)
      continue
    }
    if (additionalProperties) continue
    const place = path.length === 0 ? '' : ` in ${pathText(path)}`
    const near = nearestWord(key, known)
    const advice = near === undefined ? `known keys are ${known.join(', ')}` : `did you mean "${near}"?`
    findings.push({ path: [...path, key], message: `unknown key ${quoted(key)}${place}; ${advice}` })
  }
}

function isOfKind(value: unknown, schema: CheckedSchema): boolean {
  if (schema.const !== undefined) return value === schema.const
  if (schema.enum) return schema.enum.includes(value as string)
  if (schema.anyOf) return schema.anyOf.some((option) => isOfKind(value, option))
  switch (schema.type) {
    case 'object':
      return isPlainObject(value)
    case 'array':
      return Array.isArray(value)
    case 'string':
      if (typeof value !== 'string' || value.length < (schema.minLength ?? 0)) return false
      return schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)
    case 'integer':
      return Number.isInteger(value) && (value as number) >= (schema.minimum ?? -Infinity)
    case 'boolean':
      return typeof value === 'boolean'
    case undefined:
      return true
  }
}

/** A Map, a Date or a class instance has no members that we could check, so it is no object of settings. */
function isPlainObject(value: unknown): boolean {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function expected(schema: CheckedSchema): string {
  if (schema.const !== undefined) return schema.const === false ? 'false' : quoted(schema.const)
  if (schema.enum) return schema.enum.map(quoted).join(' or ')
  if (schema.anyOf) return schema.anyOf.map(expected).join(' or ')
  switch (schema.type) {
    case 'object':
      if (!schema.properties) return `an object of names and ${valuesOf(schema)}`
      return `an object with keys such as ${Object.keys(schema.properties ?? {})
        .filter((key) => !key.startsWith('$'))
        .slice(0, 3)
        .join(', ')}`
    case 'array':
      return schema.items?.type === 'string' ? 'a list of strings' : 'a list'
    case 'string':
      if (schema.pattern !== undefined) return `a string of the form ${schema.pattern}`
      return schema.minLength ? 'a string that is not empty' : 'a string'
    case 'integer':
      return schema.minimum === undefined ? 'a whole number' : `a whole number of at least ${schema.minimum}`
    case 'boolean':
      return 'true or false'
    case undefined:
      return 'something else'
  }
}

/** What the values of an object with free names are called. */
function valuesOf({ additionalProperties }: CheckedSchema): string {
  if (!additionalProperties || additionalProperties.type === 'string') return 'texts'
  return additionalProperties.title === undefined ? 'objects' : `${additionalProperties.title}s`
}

function actual(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object') return isPlainObject(value) ? 'an object' : `a ${value.constructor.name}`
  return String(value)
}

function suggestion(value: unknown, schema: CheckedSchema): string {
  if (typeof value !== 'string') return ''
  const words = schema.enum ?? schema.anyOf?.flatMap((option) => option.const || (option.enum ?? [])) ?? []
  const near = nearestWord(value, words)
  return near === undefined ? '' : `; did you mean ${quoted(near)}?`
}

function pathText(path: ConfigPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

const maxQuotedChars = 40

/** Short, and with control characters escaped: text from a file must not control the terminal. */
function quoted(text: string): string {
  const short = truncateAfter(text, maxQuotedChars)
  return JSON.stringify(short).replaceAll(
    /[\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
