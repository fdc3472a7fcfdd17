import type { JsonSchema } from '../../contract/json-schema.js'
import { eachSubschema } from './each-subschema.js'
import { schemaUnusable } from './schema-unusable.js'

export interface SchemaFacts {
  dialect: '2020-12' | 'draft-07'
  hasDefaults: boolean
  /** `properties` somewhere names `__proto__`, which Ajv skips. */
  namesProto: boolean
  /** The smallest `maxLength`, where there are patterns: it may be what keeps a long string from a slow pattern. */
  guardedLength: number
}

/** What must be known of a schema before it is compiled; throws where compiling it would give wrong results. */
export function inspectSchema(schema: JsonSchema): SchemaFacts {
  let hasTuple = false
  let hasDefaults = false
  let namesProto = false
  let hasPattern = false
  let maxLength = Infinity
  eachSubschema(schema, (part) => {
    // Ajv returns a promise for such a schema, and a promise is truthy: every value would pass.
    if (part.$async !== undefined) throw schemaUnusable('it uses "$async"')
    if (Array.isArray(part.items)) hasTuple = true
    if (part.required !== undefined && !isNames(part.required)) {
      throw schemaUnusable('"required" is not a list of property names')
    }
    if (part.pattern !== undefined || part.patternProperties !== undefined) hasPattern = true
    if (typeof part.maxLength === 'number') maxLength = Math.min(maxLength, part.maxLength)
    const properties = part.properties
    if (typeof properties !== 'object' || properties === null) return
    if (Object.hasOwn(properties, '__proto__')) namesProto = true
    hasDefaults ||= Object.values(properties).some((property) => property?.default !== undefined)
  })
  const isOld = typeof schema.$schema === 'string' && /\/draft-0[3-7]\//.test(schema.$schema)
  // Only the older drafts write tuples as a list under `items`; many schemas do so without naming their draft.
  const dialect = isOld || hasTuple ? 'draft-07' : '2020-12'
  return { dialect, hasDefaults, namesProto, guardedLength: hasPattern ? maxLength : Infinity }
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}
