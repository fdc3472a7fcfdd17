import { nearestWord } from '../config/nearest-word.js'
import { isObject } from '../json/is-object.js'
import { truncateAfter } from '../text/truncate.js'

/** What an option must be. */
export type OptionKind =
  | 'any'
  | 'text'
  | 'boolean'
  | 'number'
  | 'positive'
  | 'notNegative'
  | 'count'
  | 'list'
  | 'texts'
  | 'iterable'
  | 'object'
  | 'function'
  | 'fact'

const WANTED: Record<OptionKind, string> = {
  any: 'anything',
  text: 'a text',
  boolean: 'true or false',
  number: 'a number',
  positive: 'a number above 0',
  notNegative: 'a number of 0 or more',
  count: 'a whole number of at least 1',
  list: 'a list',
  texts: 'a list of texts',
  iterable: 'a list',
  object: 'an object',
  function: 'a function',
  fact: 'true, false or a function of the input',
}

/**
 * Refuses options that a typed caller could not have given. An unknown name would silently switch something off. Throws
 * one sentence that says what to write.
 */
export function checkOptions(
  where: string,
  given: unknown,
  kinds: Readonly<Record<string, OptionKind>>,
): void {
  if (!isObject(given)) {
    throw new TypeError(`${where} takes an object of options, not ${nameOf(given)}.`)
  }
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (!kind) throw new TypeError(strangerSentence(where, 'option', name, Object.keys(kinds)))
    if (value !== undefined && !isOfKind(value, kind)) {
      throw new TypeError(`${where}: "${name}" must be ${WANTED[kind]}, not ${nameOf(value)}.`)
    }
  }
}

/** The sentence about the first key that is unknown. */
export function strayKey(
  where: string,
  noun: string,
  given: object,
  known: readonly string[],
): string | undefined {
  const stray = Object.keys(given).find((key) => !known.includes(key))
  return stray === undefined ? undefined : strangerSentence(where, noun, stray, known)
}

function strangerSentence(where: string, noun: string, name: string, known: readonly string[]): string {
  return `${where} has no ${noun} "${name}"; ${hint(name, known)}`
}

function hint(name: string, known: readonly string[]): string {
  const near = nearestWord(name, [...known])
  return near ? `did you mean "${near}"?` : `it takes ${known.join(', ')}.`
}

function isOfKind(value: unknown, kind: OptionKind): boolean {
  switch (kind) {
    case 'any':
      return true
    case 'text':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
      return typeof value === 'number' && !Number.isNaN(value)
    case 'positive':
      return typeof value === 'number' && value > 0
    case 'notNegative':
      return typeof value === 'number' && value >= 0
    case 'count':
      return Number.isInteger(value) && (value as number) >= 1
    case 'list':
      return Array.isArray(value)
    case 'texts':
      return Array.isArray(value) && value.every((each) => typeof each === 'string')
    case 'iterable':
      return typeof value === 'object' && value !== null && Symbol.iterator in value
    case 'object':
      return isObject(value)
    case 'function':
      return typeof value === 'function'
    case 'fact':
      return typeof value === 'boolean' || typeof value === 'function'
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return `the text "${truncateAfter(value, 40)}"`
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'function') return 'a function'
  return typeof value === 'undefined' ? 'nothing' : `the ${typeof value} ${String(value)}`
}
