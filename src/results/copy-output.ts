import { deepFreeze } from '../platform/json/deep-freeze.js'
import { isOwn } from '../platform/json/is-own.js'

/** A frozen copy of plain data, which shares nothing with the executor's value; undefined for any other value. */
export function copyPlain(value: unknown): unknown {
  const copy = copyMember(value, 0)
  return copy === NOT_PLAIN ? undefined : copy
}

/** The copy of any other value, from its JSON. */
export function parseCopy(value: unknown, text: string): unknown {
  refuseLossy(value, 0)
  return deepFreeze(JSON.parse(text))
}

const NOT_PLAIN = Symbol('not plain')

/** A value that JSON would write differently is not plain, and neither is one so deep that it may be circular. */
function copyMember(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : NOT_PLAIN
    case 'object':
      break
    default:
      return NOT_PLAIN
  }
  if (value === null) return null
  if (depth > MAX_PLAIN_DEPTH || 'toJSON' in value) return NOT_PLAIN
  if (Array.isArray(value)) return copyList(value, depth)
  if (Object.getPrototypeOf(value) !== Object.prototype) return NOT_PLAIN
  const result: Record<string, unknown> = {}
  for (const key in value) {
    if (!isOwn(value, key)) continue
    const member =
      key === '__proto__' ? NOT_PLAIN : copyMember((value as Record<string, unknown>)[key], depth + 1)
    if (member === NOT_PLAIN) return NOT_PLAIN
    result[key] = member
  }
  return Object.freeze(result)
}

/** Deeper than most outputs, and small enough to notice a circular value soon. */
const MAX_PLAIN_DEPTH = 8

function copyList(list: readonly unknown[], depth: number): unknown {
  // Filled by index, not mapped: `map` skips holes, which JSON writes as null.
  const copy: unknown[] = []
  for (let index = 0; index < list.length; index++) {
    const item = copyMember(list[index], depth + 1)
    if (item === NOT_PLAIN) return NOT_PLAIN
    copy.push(item)
  }
  return Object.freeze(copy)
}

const MAX_DEPTH = 100

/** Types whose contents JSON silently drops: an error is better than a record that shows them as empty. */
const LOSSY = [Map, Set, WeakMap, WeakSet, Error, RegExp, Promise, ArrayBuffer] as const

function refuseLossy(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  if (typeof Reflect.get(value, 'toJSON') === 'function') return
  const kind = LOSSY.find((each) => value instanceof each)
  if (kind) throw new TypeError(`a ${kind.name} cannot be shown as JSON; return plain data`)
  for (const member of Object.values(value)) refuseLossy(member, depth + 1)
}
