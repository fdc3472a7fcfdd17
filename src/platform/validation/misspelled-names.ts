import type { JsonSchema } from '../../contract/json-schema.js'
import { nearestWord } from '../config/nearest-word.js'
import { isObject } from '../json/is-object.js'
import type { Issue } from './validated.js'

const MAX_LEVELS = 5
const MAX_NAMES = 100

/**
 * Names in a value that its schema does not have and that resemble one which is missing: a validator reports only that
 * something is missing, not why. Called only for values that do not match.
 */
export function misspelledNames(schema: JsonSchema, value: unknown): Issue[] {
  return namesIn(schema, value, { path: '', level: 0 })
}

function namesIn(schema: unknown, value: unknown, { path, level }: { path: string; level: number }): Issue[] {
  if (level > MAX_LEVELS || !isObject(schema) || !isObject(value) || !isObject(schema['properties']))
    return []
  const { properties, patternProperties } = schema
  const names = Object.keys(properties)
  const missing = names.filter((name) => !Object.hasOwn(value, name))
  const given = Object.keys(value).slice(0, MAX_NAMES)
  const here = isObject(patternProperties)
    ? []
    : given.flatMap((name) => {
        const meant = Object.hasOwn(properties, name) ? undefined : nearestWord(name, missing)
        if (meant === undefined) return []
        return [
          { path, message: `there is no ${JSON.stringify(name)} (did you mean ${JSON.stringify(meant)}?)` },
        ]
      })
  const below = given
    .filter((name) => Object.hasOwn(properties, name))
    .flatMap((name) =>
      namesIn(properties[name], value[name], { path: `${path}/${toPointer(name)}`, level: level + 1 }),
    )
  return [...here, ...below]
}

function toPointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
