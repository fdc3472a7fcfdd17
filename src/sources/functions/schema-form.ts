import type { JsonSchema } from '../../contract/json-schema.js'
import { isObject } from '../../platform/json/is-object.js'
import { errorMessage } from '../../platform/text/error-message.js'
import type { PairForm, SchemaForm, StandardProps, StatedSchema, Validator } from './schema-types.js'
import { toValidate } from './to-validate.js'

export type { InputOf, ModelInputOf, OutputOf, SchemaForm, StatedSchema } from './schema-types.js'

type Side = 'input' | 'output'

/**
 * Parses the schema that an author wrote under `input` or `output`. Throws a TypeError that says what to write instead:
 * a mistake in code, found when the tool is defined.
 */
export function stateSchema(form: SchemaForm, side: Side): StatedSchema {
  const given: unknown = form
  if (!isObjectOrFunction(given))
    throw new TypeError(`${side} must be a schema, for example { jsonSchema: { type: 'object' } }`)
  const standard = standardOf(given)
  if (standard) return stateLibrarySchema(given, standard, side)
  if (given.jsonSchema === undefined) throw new TypeError(adviceFor(given, side))
  if (given.validator !== undefined) return statePair(given as unknown as PairForm, side)
  return { jsonSchema: checkJsonSchema(given.jsonSchema, side), vendor: 'json-schema' }
}

function stateLibrarySchema(
  schema: Record<string, unknown>,
  standard: StandardProps,
  side: Side,
): StatedSchema {
  const { vendor } = standard
  const write = jsonSchemaWriter(schema, standard, side)
  if (!write) throw new TypeError(adviceFor(schema, side))
  let written: unknown
  try {
    written = write()
  } catch (error) {
    const reason = errorMessage(error)
    throw new TypeError(
      `the ${vendor} schema given as ${side} cannot be written as JSON Schema (${reason}), ` +
        `so pass { validator: schema, jsonSchema: { … } } with the JSON Schema written by hand`,
      { cause: error },
    )
  }
  const jsonSchema = checkJsonSchema(written, side)
  if (typeof standard.validate !== 'function') return { jsonSchema, vendor }
  return { jsonSchema, vendor, validate: toValidate(schema as unknown as Validator) }
}

function jsonSchemaWriter(
  schema: Record<string, unknown>,
  standard: StandardProps,
  side: Side,
): (() => unknown) | undefined {
  const converter = standard.jsonSchema
  if (converter && typeof converter[side] === 'function') {
    return () => converter[side]({ target: 'draft-2020-12' })
  }
  // zod 4 before it supported the standard.
  if (typeof schema.toJSONSchema === 'function') {
    const stating = schema as unknown as { toJSONSchema(options: object): unknown }
    return () => stating.toJSONSchema({ io: side, target: 'draft-2020-12' })
  }
  // arktype before it supported the standard: each type has its input and output as separate types.
  if (typeof schema.toJsonSchema === 'function') {
    const part = schema[side === 'input' ? 'in' : 'out']
    const stating = (canState(part) ? part : schema) as { toJsonSchema(): unknown }
    return () => stating.toJsonSchema()
  }
  return undefined
}

function canState(value: unknown): boolean {
  return isObjectOrFunction(value) && typeof value.toJsonSchema === 'function'
}

function statePair({ validator, jsonSchema }: PairForm, side: Side): StatedSchema {
  if (!isObjectOrFunction(validator))
    throw new TypeError(`the validator given under ${side} must be an object or a function`)
  const validate = toValidate(validator as Validator)
  const vendor = standardOf(validator)?.vendor ?? 'custom'
  if (typeof jsonSchema !== 'function')
    return { jsonSchema: checkJsonSchema(jsonSchema, side), vendor, validate }
  const write = jsonSchema as (validator: unknown, options: object) => unknown
  // The option names of z.toJSONSchema, valibot's toJsonSchema and zodToJsonSchema for the side; their defaults would
  // describe the wrong side, or reject a transform that does not affect this one.
  const written = write(validator, { io: side, typeMode: side, pipeStrategy: side })
  return { jsonSchema: checkJsonSchema(written, side), vendor, validate }
}

function checkJsonSchema(value: unknown, side: Side): JsonSchema {
  if (isObject(value)) return value
  throw new TypeError(`the jsonSchema given under ${side} must be an object, for example { type: 'object' }`)
}

function adviceFor(given: Record<string, unknown>, side: Side): string {
  const vendor = vendorOf(given)
  if (vendor === 'zod' && '_zod' in given) {
    return `the zod schema given as ${side} cannot state its JSON Schema, so pass { validator: schema, jsonSchema: z.toJSONSchema } or update zod to 4.2 or later`
  }
  if (vendor === 'zod') {
    return `the zod 3 schema given as ${side} cannot state its JSON Schema, so pass { validator: schema, jsonSchema: zodToJsonSchema(schema) } with the package zod-to-json-schema`
  }
  if (vendor === 'valibot') {
    return `the valibot schema given as ${side} cannot state its JSON Schema, so pass toStandardJsonSchema(schema) with the package @valibot/to-json-schema`
  }
  if (vendor !== undefined) {
    return `the ${vendor} schema given as ${side} cannot state its JSON Schema, so pass { validator: schema, jsonSchema: { … } } with the same schema as JSON Schema`
  }
  if (typeof given === 'function' || 'parse' in given || 'safeParse' in given || 'validator' in given) {
    return `the validator given as ${side} cannot state its JSON Schema, so pass { validator, jsonSchema: { … } } with the same schema as JSON Schema`
  }
  const ofFields = libraryOfFields(given)
  if (ofFields !== undefined)
    return `the ${side} is an object of ${ofFields} schemas and no schema itself; put them into one: ${ofFields === 'zod' ? 'z.object({ … })' : ofFields === 'valibot' ? 'toStandardJsonSchema(v.object({ … }))' : 'a schema of an object'}`
  return `the plain JSON Schema given as ${side} must be wrapped: pass { jsonSchema: { … } }`
}

/** The library of an object whose values are all schemas: `{ a: z.string() }`, as some other libraries accept it. */
function libraryOfFields(given: Record<string, unknown>): string | undefined {
  const vendors = Object.values(given).map((field) =>
    isObjectOrFunction(field) ? vendorOf(field) : undefined,
  )
  const [vendor] = vendors
  return vendors.length > 0 && vendors.every((each) => each !== undefined) ? vendor : undefined
}

function vendorOf(given: Record<string, unknown>): string | undefined {
  return standardOf(given)?.vendor ?? ('_def' in given && 'safeParse' in given ? 'zod' : undefined)
}

function standardOf(value: Record<string, unknown>): StandardProps | undefined {
  const standard = value['~standard']
  return isObjectOrFunction(standard) ? (standard as unknown as StandardProps) : undefined
}

/** Functions count too: an arktype schema is one. */
function isObjectOrFunction(value: unknown): value is Record<string, unknown> {
  return isObject(value) || typeof value === 'function'
}
