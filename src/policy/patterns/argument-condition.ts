import { canonicalJson } from '../../platform/json/canonical-json.js'
import { sameJson } from '../../platform/json/same-json.js'
import { sha256 } from '../../platform/json/sha256.js'
import { toTextTest } from './glob-text.js'

export const comparisons = ['=', '!=', '<', '<=', '>', '>=', 'in', 'not in', '~', 'sha256'] as const
export type Comparison = (typeof comparisons)[number]

/** One condition of a rule on one argument. */
export interface ArgumentCondition {
  /** Dotted path into the input. */
  readonly field: string
  readonly comparison: Comparison
  readonly value: unknown
}

export type ParsedConditions =
  { ok: true; conditions: readonly ArgumentCondition[] } | { ok: false; problem: string }

const FORM =
  /^([A-Za-z_$][\w$-]*(?:\.[\w$-]+)*)\s*(==|=|!=|<=|>=|<|>|~|\bnot\s+in\b|\bin\b|\bsha256\b)\s*([\s\S]+)$/

/** `amount > 100`, `currency in [EUR, USD]`, `to ~ *@example.com`, `body sha256 9f86…`; several joined by `and`. */
export function parseConditions(text: string): ParsedConditions {
  const conditions: ArgumentCondition[] = []
  for (const part of splitOutsideQuotes(text, AND)) {
    const found = FORM.exec(part.trim())
    if (!found) return { ok: false, problem: `"${part.trim()}" is no condition such as amount > 100` }
    const comparison = (found[2] === '==' ? '=' : found[2]!.replace(/\s+/, ' ')) as Comparison
    const read = readValue(comparison, found[3]!.trim())
    if ('problem' in read) return { ok: false, problem: read.problem }
    conditions.push({ field: found[1]!, comparison, value: read.value })
  }
  return { ok: true, conditions }
}

// Quotes count only at the start of a value; an apostrophe in a word does not.
const QUOTED = /(?<=^|[\s=<>~,[])(?:"[^"]*"|'[^']*')/.source
const AND = new RegExp(`${QUOTED}|(\\s+(?:and|&&)(?:\\s+|$))`, 'g')
const COMMA = new RegExp(`${QUOTED}|(,)`, 'g')

/** The parts between separators, which the pattern's group finds: a quoted separator is part of a value. */
function splitOutsideQuotes(text: string, pattern: RegExp): string[] {
  const parts: string[] = []
  let from = 0
  for (const { 0: found, 1: separator, index } of text.matchAll(pattern)) {
    if (separator === undefined) continue
    parts.push(text.slice(from, index))
    from = index + found.length
  }
  return [...parts, text.slice(from)]
}

function readValue(comparison: Comparison, text: string): { value: unknown } | { problem: string } {
  switch (comparison) {
    case 'in':
    case 'not in': {
      const list = /^\[\s*(\S[\s\S]*?)\s*\]$/.exec(text)
      if (!list) return { problem: `"${comparison}" needs a list such as [a, b]` }
      return { value: splitOutsideQuotes(list[1]!, COMMA).map((each) => readScalar(each.trim())) }
    }
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const value = readScalar(text)
      return typeof value === 'number' ? { value } : { problem: `"${comparison}" compares with a number` }
    }
    case 'sha256':
      return isDigest(text)
        ? { value: text.toLowerCase() }
        : { problem: 'a sha256 has 64 hexadecimal digits' }
    case '~':
      return { value: String(unquote(text)) }
    case '=':
    case '!=':
      return { value: readScalar(text) }
  }
}

export const isDigest = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text)

function readScalar(text: string): unknown {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  // As JSON writes numbers: 007 is a text, because no number of an input could equal it.
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return Number(text)
  return unquote(text)
}

function unquote(text: string): string {
  const quoted = /^(["'])([\s\S]*)\1$/.exec(text)
  return quoted ? quoted[2]! : text
}

/** The value at a dotted path. Own fields only, no inherited ones. */
export function argumentAt(input: unknown, field: string): unknown {
  let value = input
  for (const part of field.includes('.') ? field.split('.') : [field]) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = Reflect.get(value, part)
  }
  return value
}

/**
 * Whether the condition holds. An absent value equals nothing and is not below or above anything. A value that is not a
 * number cannot be compared: a deny or ask, which is tight, then holds and an allow does not.
 */
export function toConditionTest(
  { field, comparison, value }: ArgumentCondition,
  { isTight }: { isTight: boolean },
): (input: unknown) => boolean {
  const numeric = (holds: (number: number) => boolean) => (input: unknown) => {
    const given = argumentAt(input, field)
    return typeof given === 'number' ? holds(given) : given !== undefined && isTight
  }
  switch (comparison) {
    case '=':
      return (input) => sameJson(argumentAt(input, field), value)
    case '!=':
      return (input) => !sameJson(argumentAt(input, field), value)
    case 'in':
      return (input) => (value as unknown[]).some((each) => sameJson(argumentAt(input, field), each))
    case 'not in':
      return (input) => !(value as unknown[]).some((each) => sameJson(argumentAt(input, field), each))
    case '~': {
      const test = toTextTest(value as string)
      return (input) => {
        const given = argumentAt(input, field)
        return given !== undefined && test(typeof given === 'string' ? given : canonicalJson(given))
      }
    }
    case 'sha256':
      return (input) => {
        const given = argumentAt(input, field)
        return given !== undefined && digestOf(given) === value
      }
    case '<':
      return numeric((number) => number < (value as number))
    case '<=':
      return numeric((number) => number <= (value as number))
    case '>':
      return numeric((number) => number > (value as number))
    case '>=':
      return numeric((number) => number >= (value as number))
  }
}

/** SHA-256 of a text's bytes, or of the canonical JSON of anything else. */
export function digestOf(value: unknown): string {
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return sha256(text)
}
