import type { Ajv as AjvClass, Options, ValidateFunction } from 'ajv'
import type { JsonSchema } from '../../contract/json-schema.js'
import { compileDefaults } from './compile-defaults.js'
import { eachSubschema } from './each-subschema.js'
import { explainErrors } from './explain-errors.js'
import { createGuardedPatterns, type GuardedPatterns } from './guarded-patterns.js'
import { inspectSchema, type SchemaFacts } from './inspect-schema.js'
import { schemaUnusable } from './schema-unusable.js'
import { uniqueItems } from './unique-items.js'
import type { Validated } from './validated.js'

export type ValidateNow = (value: unknown) => Validated

export interface CompileOptions {
  fillDefaults?: boolean
  /** The schema is not trusted: the cost of its patterns is bounded. Its defaults are not filled. */
  isForeign?: boolean
}

export interface SchemaCompiler {
  /** Throws an error with the code `toolcrib.schema_unusable` when the schema cannot be compiled. */
  compile(schema: JsonSchema, options?: CompileOptions): ValidateNow
}

/** A check that stops at the first mismatch, or one that finds them all. */
type CompileCheck = (
  schema: JsonSchema,
  facts: SchemaFacts,
  how: { readonly thorough: boolean; readonly patterns: GuardedPatterns | undefined },
) => ValidateFunction

/**
 * For a larger value only the first mismatch is reported: collecting all of them is work that a hostile caller could
 * cause.
 */
const maxExplainedNodes = 1000

const ajvOptions: Options = {
  ownProperties: true,
  strict: false,
  // The meta-schema alone takes 25 ms to compile; inspectSchema and Ajv's own keyword checks find what matters.
  validateSchema: false,
  meta: false,
  logger: false,
  code: { regExp: Object.assign(lenientRegExp, { code: 'lenientRegExp' }) },
}

let loading: Promise<SchemaCompiler> | undefined

/** Loads Ajv on first use: starting up must not pay for it. */
export function loadSchemaCompiler(): Promise<SchemaCompiler> {
  loading ??= loadCheckCompiler().then(createSchemaCompiler)
  return loading
}

async function loadCheckCompiler(): Promise<CompileCheck> {
  const [{ Ajv2020 }, { Ajv }, { default: formats }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv'),
    import('ajv-formats'),
  ])
  return (schema, facts, { thorough, patterns }) => {
    const code = patterns ? { regExp: patterns.compile } : ajvOptions.code!
    // A part that an untrusted schema refers to a thousand times must not be inlined as often.
    const options = { ...ajvOptions, code, allErrors: thorough, inlineRefs: patterns === undefined }
    // A new Ajv for each schema (0.1 ms): a shared one keeps every schema it ever saw, and equal $ids would clash in it.
    const ajv: AjvClass = facts.dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options)
    formats.default(ajv, { mode: 'full', keywords: false })
    // Ajv refuses the old spelling of $id; other readers treat it as an unknown keyword.
    ajv.removeKeyword('id')
    ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems)
    return ajv.compile(schema)
  }
}

function createSchemaCompiler(compileCheck: CompileCheck): SchemaCompiler {
  const plain = new WeakMap<JsonSchema, ValidateNow>()
  const filling = new WeakMap<JsonSchema, ValidateNow>()
  const foreign = new WeakMap<JsonSchema, ValidateNow>()
  return {
    compile(schema, options) {
      const cache = options?.isForeign ? foreign : options?.fillDefaults ? filling : plain
      let validate = cache.get(schema)
      if (!validate) {
        validate = compileOnce(schema, options ?? {}, compileCheck)
        cache.set(schema, validate)
      }
      return validate
    },
  }
}

function compileOnce(schema: JsonSchema, options: CompileOptions, compileCheck: CompileCheck): ValidateNow {
  try {
    const facts = inspectSchema(schema)
    const usable = facts.namesProto ? withProtoPattern(schema) : schema
    const patterns = options.isForeign ? createGuardedPatterns(lenientRegExp) : undefined
    const check = compileCheck(usable, facts, { thorough: false, patterns })
    const fill = options.fillDefaults && !patterns && facts.hasDefaults ? compileDefaults(schema) : undefined
    let checkAll: ValidateFunction | undefined

    const refuse = (value: unknown): Validated => {
      const first = check.errors ?? []
      if (!isSmall(value, facts.guardedLength)) return { ok: false, issues: explainErrors(first) }
      checkAll ??= compileCheck(usable, facts, { thorough: true, patterns })
      checkAll(value)
      return { ok: false, issues: explainErrors(checkAll.errors ?? first) }
    }

    return (value) => {
      try {
        patterns?.begin()
        const given = fill ? fill(value) : value
        return check(given) ? { ok: true, value: given } : refuse(given)
      } catch (error) {
        const message =
          error instanceof RangeError ? 'is nested too deeply to be checked' : 'could not be checked'
        return { ok: false, issues: [{ path: '', message }] }
      }
    }
  } catch (error) {
    throw toUnusable(error)
  }
}

/** Ajv ignores `__proto__` in `properties`, but not a pattern that matches nothing else. */
function withProtoPattern(schema: JsonSchema): JsonSchema {
  const copy = structuredClone(schema)
  eachSubschema(copy, (part: { properties?: object; patternProperties?: object }) => {
    const stated = part.properties && Object.getOwnPropertyDescriptor(part.properties, '__proto__')
    if (stated) part.patternProperties = { ...part.patternProperties, '^__proto__$': stated.value }
  })
  return copy
}

/** Whether finding every mismatch is safe: few nodes, and no string that a `maxLength` keeps away from a `pattern`. */
function isSmall(value: unknown, maxLength: number): boolean {
  let left = maxExplainedNodes
  const fits = (part: unknown): boolean => {
    if (--left < 0) return false
    if (typeof part === 'string') return part.length <= maxLength
    if (typeof part !== 'object' || part === null) return true
    if (Array.isArray(part)) return part.length <= left && part.every(fits)
    return Object.entries(part).every(([key, value]) => key.length <= maxLength && fits(value))
  }
  return fits(value)
}

/** Patterns are often written for engines that accept needless escapes, which the `u` flag does not. */
function lenientRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return new RegExp(pattern)
  }
}

function toUnusable(error: unknown): Error {
  if (!(error instanceof Error)) return schemaUnusable('it could not be compiled', error)
  if ('code' in error && error.code === 'toolcrib.schema_unusable') return error
  if ('missingRef' in error)
    return schemaUnusable(`it refers to "${error.missingRef}", which is not part of it`, error)
  if (error instanceof SyntaxError) return schemaUnusable(`a pattern is not valid (${error.message})`, error)
  if (error instanceof RangeError) return schemaUnusable('it is nested too deeply', error)
  return schemaUnusable(`of this: ${error.message}`, error)
}
