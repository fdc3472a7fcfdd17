import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs'
import { defineKey } from '../../../platform/json/define-key.js'

export interface CedarRecord {
  value: Record<string, CedarValueJson>
  /** Paths of nulls: Cedar has none, and its `has` says the same about an absent field. */
  nulls: string[]
  /** Paths of everything else that Cedar cannot hold. */
  unseen: string[]
}

/** A JSON object as a Cedar record, and what of it Cedar cannot hold: null, fractions, large numbers, great depth. */
export function toCedarRecord(given: unknown): CedarRecord {
  const left: Left = { nulls: [], unseen: [] }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    if (given !== undefined) left.unseen.push('')
    return { value: {}, ...left }
  }
  return { value: toRecord(given, '', 0, left), ...left }
}

type Left = Pick<CedarRecord, 'nulls' | 'unseen'>

/** The reader of Cedar's JSON gives up at 128. */
const MAX_DEPTH = 64

/** Cedar would not read such a member as data: whoever writes the input could pass for another entity. */
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

/** Half a character is no text for Cedar, which would refuse all of the input with it. */
const isText = (text: string): boolean => !/\p{Surrogate}/u.test(text)
