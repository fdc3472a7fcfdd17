import type { JsonObject } from '../protocol/json-rpc.js'
import { checkForeign } from '../../../platform/validation/check-foreign.js'
import type { Validate, Validated } from '../../../platform/validation/validated.js'

/**
 * Checks by a schema of a server. Where it cannot be used (another dialect, a reference to the outside, which nobody
 * follows, patterns that could take too long), only `fallback` holds: the server checks its own input.
 */
export function lenientCheck(schema: JsonObject, fallback: (value: unknown) => Validated): Validate {
  return checkForeign(schema, { fallback })
}

export function checkIsObject(value: unknown): Validated {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { ok: true, value } : { ok: false, issues: [{ path: '', message: 'must be an object' }] }
}

export function checkNothing(value: unknown): Validated {
  return { ok: true, value }
}
