import type { JsonSchema } from '../../../../contract/json-schema.js'
import { isObject } from '../../../../platform/json/is-object.js'
import { sameJson } from '../../../../platform/json/same-json.js'
import { createGuardedPatterns } from '../../../../platform/validation/guarded-patterns.js'
import { isOfType } from './keyword-values.js'

interface SchemaOf {
  readonly schema: unknown
  /** The schema that has the definitions. */
  readonly root: JsonSchema
}

const MAX_STEPS = 5_000

/**
 * Whether a small value has the shape that a compiled schema describes: types, values, members, items, lengths, patterns,
 * and the most common formats. Compiling a validator for each example would take longer than everything else.
 */
export function fitsSchema(value: unknown, { schema, root }: SchemaOf): boolean {
  return new Fit(root).fits(value, schema)
}

class Fit {
  readonly #definitions: unknown
  #stepsLeft = MAX_STEPS

  constructor({ $defs }: JsonSchema) {
    this.#definitions = $defs
  }

  fits(value: unknown, schema: unknown): boolean {
    if (!isObject(schema)) return schema !== false
    if (--this.#stepsLeft < 0) return false
    const { $ref, allOf, anyOf } = schema
    if (typeof $ref === 'string' && !this.fits(value, this.#definition($ref))) return false
    if (Array.isArray(allOf) && !allOf.every((each) => this.fits(value, each))) return false
    if (Array.isArray(anyOf) && !anyOf.some((each) => this.fits(value, each))) return false
    if (!hasType(value, schema) || !hasBounds(value, schema)) return false
    if (Array.isArray(value)) return value.every((each) => this.fits(each, schema['items']))
    return !isObject(value) || this.#hasMembers(value, schema)
  }

  #definition(reference: string): unknown {
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    return isObject(this.#definitions) && Object.hasOwn(this.#definitions, name)
      ? this.#definitions[name]
      : undefined
  }

  #hasMembers(value: Record<string, unknown>, schema: JsonSchema): boolean {
    const { properties, required, additionalProperties, patternProperties } = schema
    if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, name as string)))
      return false
    return Object.entries(value).every(([name, member]) => {
      if (isObject(properties) && Object.hasOwn(properties, name)) return this.fits(member, properties[name])
      return isObject(patternProperties) || this.fits(member, additionalProperties)
    })
  }
}

function hasType(value: unknown, { type, enum: values, const: constant }: JsonSchema): boolean {
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  if (types.length > 0 && !types.some((each) => isOfType(value, each))) return false
  if (Array.isArray(values) && !values.some((each) => sameJson(each, value))) return false
  return constant === undefined || sameJson(constant, value)
}

const FORMATS: ReadonlyMap<unknown, RegExp> = new Map([
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['date-time', /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/],
  ['uuid', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i],
  ['uri', /^[a-z][a-z\d+.-]*:\S+$/i],
])

function hasBounds(value: unknown, schema: JsonSchema): boolean {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, format, pattern } = schema
  const within = (size: number, min: unknown, max: unknown): boolean =>
    !(typeof min === 'number' && size < min) && !(typeof max === 'number' && size > max)
  if (typeof value === 'number')
    return within(value, minimum, maximum) && (format !== 'int32' || Math.abs(value) < 2 ** 31)
  if (Array.isArray(value)) return within(value.length, minItems, maxItems)
  if (typeof value !== 'string') return true
  if (FORMATS.get(format)?.test(value) === false) return false
  if (typeof pattern === 'string' && !matches(value, pattern)) return false
  return within([...value].length, minLength, maxLength)
}

const patterns = createGuardedPatterns((pattern) => new RegExp(pattern, 'u'))

function matches(value: string, pattern: string): boolean {
  try {
    patterns.begin()
    return patterns.compile(pattern, 'u').test(value)
  } catch {
    // A pattern that could take too long checks nothing.
    return true
  }
}
