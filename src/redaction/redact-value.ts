import { isSecretValue } from './find/judge-value.js'
import { ruleOf } from './find/read-assignment.js'
import { kindOfName } from './find/secret-names.js'
import { isOwn } from '../platform/json/is-own.js'

export interface ValueRedaction {
  text(text: string): string
  /** The name of a member: the same few names come in every call. */
  name(name: string): string
  isExact(number: number | bigint): boolean
  mask(text: string, rule: string): string
  /** The key of a member says what its value is. */
  readsNames: boolean
}

export function redactValue<Value>(value: Value, how: ValueRedaction): Value {
  return redact(value, how, 0) as Value
}

/** The objects around the value that is read: one list for all values, which keeps its length. */
const above: (object | undefined)[] = [undefined, undefined, undefined, undefined]

/** Real values are not deeper; deeper parts are masked unread. */
const DEEPEST = 500

/** `depth`: how many objects are around the value. An object that contains itself is not walked again. */
function redact(value: unknown, how: ValueRedaction, depth: number): unknown {
  if (typeof value === 'string') return how.text(value)
  if (typeof value === 'number' || typeof value === 'bigint') {
    return how.isExact(value) ? how.mask(String(value), 'known_secret') : value
  }
  if (typeof value !== 'object' || value === null || isAround(value, depth)) return value
  if (depth > DEEPEST) return how.mask('', 'too_deep')
  above[depth] = value
  const clean = Array.isArray(value)
    ? redactList(value, how, depth + 1)
    : redactObject(value as Record<string, unknown>, how, depth + 1)
  above[depth] = undefined
  return clean
}

function isAround(value: object, depth: number): boolean {
  for (let at = 0; at < depth; at++) if (above[at] === value) return true
  return false
}

function redactList(list: readonly unknown[], how: ValueRedaction, depth: number): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let at = 0; at < list.length; at++) {
    const clean = redact(list[at], how, depth)
    if (copy === undefined && clean !== list[at]) copy = list.slice(0, at)
    copy?.push(clean)
  }
  return copy ?? list
}

function redactObject(object: Record<string, unknown>, how: ValueRedaction, depth: number): object {
  let copy: Record<string, unknown> | undefined
  for (const key in object) {
    if (!isOwn(object, key)) continue
    const member = object[key]
    const cleanKey = how.name(key)
    const clean = redactMember(key, member, how, depth)
    if (copy === undefined) {
      if (cleanKey === key && clean === member) continue
      copy = membersBefore(object, key)
    }
    put(copy, cleanKey, clean)
  }
  return copy ?? object
}

function membersBefore(object: Record<string, unknown>, end: string): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const key in object) {
    if (key === end) break
    if (isOwn(object, key)) put(members, key, object[key])
  }
  return members
}

/** A member of any name: setting `__proto__` would change the prototype. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  else object[key] = value
}

function redactMember(key: string, member: unknown, how: ValueRedaction, depth: number): unknown {
  const clean = redact(member, how, depth)
  if (!how.readsNames || typeof clean !== 'string' || clean !== member) return clean
  const kind = kindOfName(key)
  if (kind === undefined || !isSecretValue(clean, kind, 'quoted')) return clean
  return how.mask(clean, ruleOf(kind))
}
