import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs'
import { defineKey } from '../../../platform/json/define-key.js'
import { isObject } from '../../../platform/json/is-object.js'

export interface CedarRecord {
  value: Record<string, CedarValueJson>
  /** Paths of nulls: Cedar has no null, and its `has` treats an absent field the same way. */
  nulls: string[]
  /** Paths of all other values that Cedar cannot hold. */
  unseen: string[]
}

/** A JSON object as a Cedar record, with the values that Cedar cannot hold: null, fractions, large numbers, great depth. */
export function toCedarRecord(given: unknown): CedarRecord {
  const left: Left = { nulls: [], unseen: [] }
  if (!isObject(given)) {
    if (given !== undefined) left.unseen.push('')
    return { value: {}, ...left }
  }
  return { value: toRecord(given, '', 0, left), ...left }
}

type Left = Pick<CedarRecord, 'nulls' | 'unseen'>

/** Cedar's JSON parser fails at a depth of 128. */
const MAX_DEPTH = 64

/** Cedar would not read such a member as data: the input's author could pass it off as another entity. */
const ESCAPES = new Set(['__entity', '__extn', '__expr'])

function toRecord(given: object, at: string, depth: number, left: Left): Record<string, CedarValueJson> {
  const record: Record<string, CedarValueJson> = {}
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue
    const path = at === '' ? key : `${at}.${key}`
    if (ESCAPES.has(key) || !isText(key)) left.unseen.push(path)
    else {
      const held = toValue(value, path, depth + 1, left)
      if (held !== undefined) defineKey(record, key, held)
    }
  }
  return record
}

function toValue(value: unknown, path: string, depth: number, left: Left): CedarValueJson | undefined {
  if (value === null) {
    left.nulls.push(path)
    return undefined
  }
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return value as boolean | number
  if (typeof value === 'string' && isText(value)) return value
  if (typeof value === 'object' && depth < MAX_DEPTH) {
    if (!Array.isArray(value)) return toRecord(value, path, depth, left)
    return value.flatMap((each, index) => {
      const held = toValue(each, `${path}.${index}`, depth + 1, left)
      // In a further list, so that a list within the list stays one.
      return held === undefined ? [] : [held]
    })
  }
  left.unseen.push(path)
  return undefined
}

/** Cedar would refuse the whole input because of an unpaired surrogate. */
const isText = (text: string): boolean => !/\p{Surrogate}/u.test(text)
