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
  // Removes what an earlier failed run left in it.
  ABOVE.length = 0
  return redact(value, how, ABOVE) as Value
}

const ABOVE: object[] = []

/** Real values are not deeper; deeper parts are masked unread. */
const DEEPEST = 500

/** `above`: the objects around the value. An object that contains itself is not walked again. */
function redact(value: unknown, how: ValueRedaction, above: object[]): unknown {
  if (typeof value === 'string') return how.text(value)
  if (typeof value === 'number' || typeof value === 'bigint') {
    return how.isExact(value) ? how.mask(String(value), 'known_secret') : value
  }
  if (typeof value !== 'object' || value === null || above.includes(value)) return value
  if (above.length > DEEPEST) return how.mask('', 'too_deep')
  above.push(value)
  const clean = Array.isArray(value)
    ? redactList(value, how, above)
    : redactObject(value as Record<string, unknown>, how, above)
  above.pop()
  return clean
}

function redactList(list: readonly unknown[], how: ValueRedaction, above: object[]): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let at = 0; at < list.length; at++) {
    const clean = redact(list[at], how, above)
    if (copy === undefined && clean !== list[at]) copy = list.slice(0, at)
    copy?.push(clean)
  }
  return copy ?? list
}

function redactObject(object: Record<string, unknown>, how: ValueRedaction, above: object[]): object {
  let copy: Record<string, unknown> | undefined
  for (const key in object) {
    if (!isOwn(object, key)) continue
    const member = object[key]
    const cleanKey = how.name(key)
    const clean = redactMember(key, member, how, above)
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

function redactMember(key: string, member: unknown, how: ValueRedaction, above: object[]): unknown {
  const clean = redact(member, how, above)
  if (!how.readsNames || typeof clean !== 'string' || clean !== member) return clean
  const kind = kindOfName(key)
  if (kind === undefined || !isSecretValue(clean, kind, 'quoted')) return clean
  return how.mask(clean, ruleOf(kind))
}
