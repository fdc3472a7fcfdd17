import { sameJson } from '../platform/json/same-json.js'
import { snapshotJson } from '../platform/json/snapshot-json.js'
import type { HookDefinition } from './hook.js'
import type { HookCondition } from './hook.js'

type Test = (value: unknown) => boolean

/** The name by which a coding agent's matcher finds a tool, among all its names. */
export function compileMatcher(matcher: string): (names: readonly string[]) => string | undefined {
  // Both mean "every tool".
  if (matcher === '' || matcher === '*') return (names) => names[0]
  let pattern: RegExp
  try {
    pattern = new RegExp(`^(?:${matcher})$`)
  } catch {
    throw new TypeError(`has the matcher "${matcher}", which is no regular expression; write "Edit|Write".`)
  }
  return (names) => names.find((name) => pattern.test(name))
}

/** Throws the second half of a sentence about invalid conditions. */
export function compileConditions(when: NonNullable<HookDefinition['when']>): Test {
  const conditions: unknown[] = Array.isArray(when) ? when : [when]
  const tests = conditions.map(compileCondition)
  return (input) => tests.every((test) => test(input))
}

const KEYS = ['field', 'matches', 'equals', 'oneOf']
const EXAMPLE = 'write { field: "path", matches: "*.env" }.'

function compileCondition(given: unknown): Test {
  const condition = (typeof given === 'object' && given !== null ? given : {}) as HookCondition
  const keys = Object.keys(condition)
  const stray = keys.find((key) => !KEYS.includes(key))
  if (stray !== undefined) throw new TypeError(`has "${stray}" in "when", which means nothing; ${EXAMPLE}`)
  const { field, matches, equals, oneOf } = condition
  if (typeof field !== 'string' || field === '' || keys.length !== 2)
    throw new TypeError(`needs in "when" a "field" and one of "matches", "equals" and "oneOf"; ${EXAMPLE}`)
  if ('matches' in condition && typeof matches !== 'string')
    throw new TypeError(`has a "matches" in "when" that is no text; ${EXAMPLE}`)
  if ('oneOf' in condition && !Array.isArray(oneOf))
    throw new TypeError('has a "oneOf" in "when" that is no list.')
  if ('notJson' in snapshotJson([equals, oneOf]))
    throw new TypeError('has a value in "when" that is no JSON; no input could hold it.')
  const route = field.split('.')
  const test = typeof matches === 'string' ? globTest(matches) : valueTest(oneOf ?? [equals])
  return (input) => holdsAt(input, route, test)
}

function globTest(pattern: string): Test {
  // Runs of `*` become one: each further one would multiply the ways to match.
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const glob = new RegExp(`^${parts.join('.*')}$`, 's')
  return (value) => isScalar(value) && glob.test(String(value))
}

function valueTest(wanted: readonly unknown[]): Test {
  return (value) => wanted.some((each) => sameJson(each, value))
}

/** A list on the path or at its end matches if one of its members does: wrapping a value must not bypass a hook. */
function holdsAt(value: unknown, route: readonly string[], test: Test): boolean {
  const [key, ...rest] = route
  if (key === undefined && test(value)) return true
  if (Array.isArray(value)) return value.some((item) => holdsAt(item, route, test))
  if (typeof value !== 'object' || value === null) return false
  if (key === undefined) return Object.values(value).some((member) => holdsAt(member, [], test))
  return Object.hasOwn(value, key) && holdsAt((value as Record<string, unknown>)[key], rest, test)
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
