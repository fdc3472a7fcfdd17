import { defineKey } from './define-key.js'
import { isOwn } from './is-own.js'

/** Why a value cannot be stored as JSON, as the second half of a sentence: "the input …". */
export interface NotJson {
  notJson: string
}

const MAX_DEPTH = 200

/** A frozen deep copy: later changes of the original do not reach it. */
export function snapshotJson(value: unknown): { value: unknown } | NotJson {
  try {
    return { value: frozenCopy(value) }
  } catch (error) {
    return { notJson: whyNotJson(error) }
  }
}

/** The copy itself, for code that runs in every call; where there is none, `whyNotJson` reads the error. */
export function frozenCopy(value: unknown): unknown {
  return copy(value, 0)
}

export function whyNotJson(error: unknown): string {
  return error instanceof Refusal ? error.message : 'could not be read'
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
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined || !isOwn(value, key)) continue
    if (key === '__proto__') defineKey(result, key, copy(member, depth + 1))
    else result[key] = copy(member, depth + 1)
  }
  return Object.freeze(result)
}
