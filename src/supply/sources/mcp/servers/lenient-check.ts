import type { JsonObject } from '../../../../foundation/mcp/json-rpc.js'
import { loadSchemaCompiler } from '../../../../foundation/validation/compile-schema.js'
import { withoutSlowPatterns } from '../../../../foundation/validation/without-slow-patterns.js'
import type { Validate, Validated } from '../../../../foundation/validation/validated.js'

/**
 * Checks by a schema that somebody else wrote. It is compiled when it is first needed. Where it cannot be (another
 * dialect, a reference to the outside, which nobody follows, patterns that could take too long), only `fallback` holds: the server checks its own input.
 */
export function lenientCheck(schema: JsonObject, fallback: (value: unknown) => Validated): Validate {
  let check: ((value: unknown) => Validated) | undefined
  return (value) => {
    if (check) return check(value)
    return compile(schema).then((compiled) => (check = compiled ?? fallback)(value))
  }
}

export function checkIsObject(value: unknown): Validated {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { ok: true, value } : { ok: false, issues: [{ path: '', message: 'must be an object' }] }
}

export function checkNothing(value: unknown): Validated {
  return { ok: true, value }
}

async function compile(schema: JsonObject): Promise<((value: unknown) => Validated) | undefined> {
  try {
    const compiler = await loadSchemaCompiler()
    const usable = withoutSlowPatterns(schema)
    return usable && compiler.compile(usable, { isForeign: true })
  } catch {
    return undefined
  }
}
