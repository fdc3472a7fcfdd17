/** What cannot be kept as JSON, in a sentence's second half: "the input …". */
export interface NotJson {
  notJson: string
}

const MAX_DEPTH = 200

/** A frozen deep copy: what the caller gave stays as it was, whatever is done to the original. */
export function snapshotJson(value: unknown): { value: unknown } | NotJson {
  try {
    return { value: copy(value, 0) }
  } catch (error) {
    if (error instanceof Refusal) return { notJson: error.message }
    return { notJson: 'could not be read' }
  }
}

class Refusal extends Error {}

function copy(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (Number.isFinite(value)) return value
      throw new Refusal(`holds the number ${value}, which JSON does not know`)
    case 'object':
      if (value === null) return null
      if (depth > MAX_DEPTH)
        throw new Refusal(`is nested deeper than ${MAX_DEPTH} levels or refers to itself`)
      return Array.isArray(value) ? copyArray(value, depth) : copyObject(value, depth)
    case 'undefined':
      return null
    default:
      throw new Refusal(`holds a ${typeof value}, which JSON does not know`)
  }
}

function copyArray(value: readonly unknown[], depth: number): unknown {
  const result: unknown[] = []
  for (const item of value) result.push(copy(item, depth + 1))
  return Object.freeze(result)
}

function copyObject(value: object, depth: number): unknown {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    const { toJSON } = value as { toJSON?: unknown }
    if (typeof toJSON === 'function') return copy(toJSON.call(value), depth + 1)
    throw new Refusal('holds an object that is not plain data')
  }
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined) continue
    if (key === '__proto__') define(result, key, copy(member, depth + 1))
    else result[key] = copy(member, depth + 1)
  }
  return Object.freeze(result)
}

// Assigning would set the prototype: as data it is a key like any other.
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
}

/** A copy that its receiver may change. The value must be JSON. */
export function mutableCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(mutableCopy)
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = mutableCopy((value as Record<string, unknown>)[key])
    if (key === '__proto__') define(result, key, member)
    else result[key] = member
  }
  return result
}

/** Whether two JSON values are the same. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameJson(item, b[index]))
    )
  }
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false
    if (!sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) return false
  }
  return true
}

/** Dotted paths of what differs, at most twenty. */
export function changedFields(before: unknown, after: unknown): string[] {
  const found: string[] = []
  compare(before, after, '', found)
  return found.slice(0, 20)
}

function compare(before: unknown, after: unknown, path: string, found: string[]): void {
  if (found.length > 20 || sameJson(before, after)) return
  if (!isPlain(before) || !isPlain(after)) {
    found.push(path === '' ? '.' : path)
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const at = path === '' ? key : `${path}.${key}`
    if (Object.hasOwn(before, key) && Object.hasOwn(after, key)) compare(before[key], after[key], at, found)
    else found.push(at)
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
