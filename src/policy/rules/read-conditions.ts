import { accessKinds, riskLevels, writeEffects, type RiskLevel } from '../../contract/unions.js'
import { nearestWord } from '../../platform/config/nearest-word.js'
import { isObject } from '../../platform/json/is-object.js'
import { risksFrom } from './conditions.js'
import {
  isDigest,
  parseConditions,
  type ArgumentCondition,
  type Comparison,
} from '../patterns/argument-condition.js'
import { permissionModes } from '../permission-mode.js'
import type { RuleConditions } from './rule.js'
import { showValue } from './show-value.js'

export type ReadConditions = { ok: true; when: RuleConditions } | { ok: false; problem: string }

/** The value, or what is wrong with it. */
type Read<Value> = { readonly value: Value } | { readonly problem: string }

const LISTS = {
  access: { to: 'access', of: accessKinds },
  effects: { to: 'effects', of: writeEffects },
  network_scope: { to: 'network', of: undefined },
  tenant_scope: { to: 'tenantScope', of: undefined },
  sensitivity: { to: 'sensitivity', of: undefined },
  actor: { to: 'actor', of: undefined },
  role: { to: 'role', of: undefined },
  session: { to: 'session', of: undefined },
  surface: { to: 'surface', of: undefined },
  tenant: { to: 'tenant', of: undefined },
  mode: { to: 'mode', of: permissionModes },
} as const

const FLAGS = { read_only: 'readOnly', destructive: 'destructive', open_world: 'openWorld' } as const

const KEYS = ['args', 'risk', ...Object.keys(LISTS), ...Object.keys(FLAGS)]

/** A rule's `when`, as a file has it. */
export function readConditions(given: unknown): ReadConditions {
  // An empty "when" would make the rule unconditional, which its author did not mean.
  if (!isObject(given) || Object.keys(given).length === 0) {
    return { ok: false, problem: 'has a "when" that is no list of conditions such as actor: ann' }
  }
  let when: RuleConditions = {}
  for (const [key, value] of Object.entries(given)) {
    const read = readCondition(key, value)
    if ('problem' in read) return { ok: false, problem: `has a "when" that cannot be read: ${read.problem}` }
    when = { ...when, ...read.value }
  }
  return { ok: true, when }
}

function readCondition(key: string, value: unknown): Read<RuleConditions> {
  if (key === 'args') return named('args', readArgs(value))
  if (key === 'risk') return named('risk', readRisk(value))
  if (Object.hasOwn(FLAGS, key)) return named(FLAGS[key as keyof typeof FLAGS], readFlag(key, value))
  if (!Object.hasOwn(LISTS, key)) return { problem: unknownKey(key) }
  const { to, of } = LISTS[key as keyof typeof LISTS]
  return named(to, readList(key, value, of))
}

function named(key: keyof RuleConditions, read: Read<unknown>): Read<RuleConditions> {
  return 'problem' in read ? read : { value: { [key]: read.value } }
}

function unknownKey(key: string): string {
  const near = nearestWord(key, KEYS)
  return `it knows no "${key}"${near ? `; did you mean "${near}"?` : `; there are ${KEYS.join(', ')}`}`
}

function readFlag(key: string, value: unknown): Read<boolean> {
  return typeof value === 'boolean' ? { value } : { problem: `"${key}" must be true or false` }
}

function readList<Word extends string>(
  key: string,
  given: unknown,
  of: readonly Word[] | undefined,
): Read<Word[]> {
  const list: unknown[] = Array.isArray(given) ? given : [given]
  if (list.length === 0 || !list.every((each) => typeof each === 'string')) {
    return { problem: `"${key}" must be a text or a list of texts` }
  }
  const stray = of && list.find((each) => !(of as readonly string[]).includes(each))
  if (stray !== undefined) return { problem: `"${key}" cannot be "${stray}"; there are ${of!.join(', ')}` }
  return { value: list as Word[] }
}

function readRisk(value: unknown): Read<RiskLevel[]> {
  if (!isObject(value) || Object.keys(value).join() !== 'at_least') return readList('risk', value, riskLevels)
  const level = readList('at_least', value['at_least'], riskLevels)
  if ('problem' in level) return level
  if (level.value.length > 1) return { problem: '"at_least" names one level' }
  return { value: risksFrom(level.value[0]!) }
}

const WORDS: Readonly<Record<string, Comparison>> = {
  eq: '=',
  ne: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  in: 'in',
  not_in: 'not in',
  matches: '~',
  sha256: 'sha256',
}

/** `amount > 100`, a list of such texts, or `{ amount: { gt: 100 }, currency: [EUR, USD] }`. */
function readArgs(value: unknown): Read<ArgumentCondition[]> {
  if (typeof value === 'string') return readText(value)
  if (isFilled(value))
    return joined(value.map((each) => readText(typeof each === 'string' ? each : showValue(each))))
  if (!isObject(value) || Object.keys(value).length === 0)
    return { problem: '"args" must hold conditions such as amount: { gt: 100 }' }
  return joined(Object.entries(value).map(([field, said]) => readField(field, said)))
}

function readText(text: string): Read<ArgumentCondition[]> {
  const parsed = parseConditions(text)
  return parsed.ok ? { value: [...parsed.conditions] } : { problem: parsed.problem }
}

function readField(field: string, said: unknown): Read<ArgumentCondition[]> {
  if (Array.isArray(said)) return readComparison(field, 'in', said)
  if (!isObject(said)) return { value: [{ field, comparison: '=', value: said }] }
  if (Object.keys(said).length === 0) return { problem: `"${field}" is compared with nothing` }
  return joined(Object.entries(said).map(([word, operand]) => readComparison(field, word, operand)))
}

function readComparison(field: string, word: string, operand: unknown): Read<ArgumentCondition[]> {
  const comparison = Object.hasOwn(WORDS, word) ? WORDS[word]! : undefined
  if (!comparison)
    return { problem: `"${word}" is no comparison; there are ${Object.keys(WORDS).join(', ')}` }
  const problem = operandProblem(word, comparison, operand)
  if (problem !== undefined) return { problem }
  return { value: [{ field, comparison, value: toOperand(comparison, operand) }] }
}

/** Digests are compared in lower case, as they are computed. */
const toOperand = (comparison: Comparison, given: unknown): unknown =>
  comparison === 'sha256' ? String(given).toLowerCase() : given

function operandProblem(word: string, comparison: Comparison, value: unknown): string | undefined {
  switch (comparison) {
    case '<':
    case '<=':
    case '>':
    case '>=':
      return typeof value === 'number' ? undefined : `"${word}" compares with a number`
    case 'in':
    case 'not in':
      return isFilled(value) ? undefined : `"${word}" needs a list with something in it`
    case '~':
      return typeof value === 'string' ? undefined : `"${word}" needs a text with *`
    case 'sha256':
      return isDigest(value) ? undefined : 'a sha256 has 64 hexadecimal digits'
    case '=':
    case '!=':
      return undefined
  }
}

/** All lists as one, or the first problem. */
function joined(reads: readonly Read<ArgumentCondition[]>[]): Read<ArgumentCondition[]> {
  const all: ArgumentCondition[] = []
  for (const read of reads) {
    if ('problem' in read) return read
    all.push(...read.value)
  }
  return { value: all }
}

const isFilled = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0
