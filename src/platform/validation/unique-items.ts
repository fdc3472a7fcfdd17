import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv'
import { canonicalJson } from '../json/canonical-json.js'

/** `uniqueItems` in linear time. Ajv compares each object with each: 20,000 of them take a minute. */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  validate: isUnique,
}

function isUnique(isWanted: boolean, list: readonly unknown[]): boolean {
  if (!isWanted) return true
  const found = firstPair(list)
  if (!found) return true
  ;(isUnique as SchemaValidateFunction).errors = [
    {
      keyword: 'uniqueItems',
      params: found,
      message: `must NOT have duplicate items (items ## ${found.j} and ${found.i} are identical)`,
    },
  ]
  return false
}

/** The first item that occurred before, and where. Texts and numbers are their own key; other values are serialized. */
function firstPair(list: readonly unknown[]): { i: number; j: number } | undefined {
  const plain = new Map<unknown, number>()
  const written = new Map<string, number>()
  for (let i = 0; i < list.length; i++) {
    const item = list[i]
    const isPlain = typeof item !== 'object' || item === null
    const key = isPlain ? item : canonicalJson(item)
    const seen: Map<unknown, number> = isPlain ? plain : written
    const j = seen.get(key)
    if (j !== undefined) return { i, j }
    seen.set(key, i)
  }
  return undefined
}
