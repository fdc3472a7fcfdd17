import { nearestWord } from '../../platform/config/nearest-word.js'
import { isObject } from '../../platform/json/is-object.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import { limitDimensions, type BreakerOptions, type LimitRule } from './limit-rule.js'

const LIMIT_OPTIONS = {
  by: 'any',
  of: 'any',
  perMinute: 'number',
  burst: 'number',
  concurrent: 'number',
  perRun: 'number',
  over: 'text',
  maxWaitMs: 'number',
} as const satisfies Record<keyof LimitRule, OptionKind>

const COUNTS = ['perMinute', 'concurrent', 'perRun', 'burst'] as const

/** Throws a one-sentence error for an invalid limit; it begins with `where`. */
export function checkLimit(where: string, limit: LimitRule): void {
  checkOptions(where, limit, LIMIT_OPTIONS)
  checkBy(where, limit.by)
  checkScope(where, limit)
  for (const name of COUNTS) checkCount(where, name, limit[name])
  checkWaiting(where, limit)
}

/** Names each limit by its index: `limits[0]` is the first. */
export function checkLimits(where: string, limits: readonly LimitRule[]): void {
  limits.forEach((limit, index) => checkLimit(`${where}[${index}]`, limit))
}

function checkBy(where: string, by: unknown): void {
  const given: unknown[] = Array.isArray(by) ? by : [by]
  const wrong = given.find((each) => !(limitDimensions as readonly unknown[]).includes(each))
  if (given.length > 0 && wrong === undefined && new Set(given).size === given.length && by !== undefined)
    return
  const near = typeof wrong === 'string' ? nearestWord(wrong, limitDimensions) : undefined
  const hint = near ? `; did you mean "${near}"?` : '.'
  throw new TypeError(`${where}: "by" must be ${orList(limitDimensions)}, or a list of them${hint}`)
}

function checkScope(where: string, { by, of }: LimitRule): void {
  if (of === undefined) return
  if (isObject(of)) {
    checkOptions(
      `${where}: "of"`,
      of,
      Object.fromEntries(limitDimensions.map((dimension) => [dimension, 'any' as const])),
    )
    for (const [dimension, names] of Object.entries(of)) checkNames(`${where}: "of.${dimension}"`, names)
    return
  }
  if (Array.isArray(by) && by.length > 1)
    throw new TypeError(
      `${where}: "by" is a list, so "of" must say which of them it means, such as { ${String(by[0])}: … }.`,
    )
  checkNames(`${where}: "of"`, of)
}

function checkNames(where: string, names: unknown): void {
  const given: unknown[] = Array.isArray(names) ? names : [names]
  if (given.length > 0 && given.every((each) => typeof each === 'string' && each !== '')) return
  throw new TypeError(`${where} must be a name, a pattern with *, or a list of them.`)
}

function checkCount(where: string, name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return
  const hint = value === 0 && name !== 'burst' ? ' A deny rule refuses every call.' : ''
  throw new TypeError(`${where}: "${name}" must be a whole number above 0, not ${value}.${hint}`)
}

function checkWaiting(where: string, limit: LimitRule): void {
  const { perMinute, burst, concurrent, perRun, over, maxWaitMs } = limit
  if (perMinute === undefined && concurrent === undefined && perRun === undefined)
    throw new TypeError(`${where} limits nothing; give it "perMinute", "concurrent" or "perRun".`)
  if (over !== undefined && over !== 'wait' && over !== 'refuse')
    throw new TypeError(`${where}: "over" must be "wait" or "refuse".`)
  if (over === 'wait' && perMinute === undefined && concurrent === undefined)
    throw new TypeError(
      `${where}: what "perRun" allows never comes back, so nobody can wait; leave "over" out.`,
    )
  if (burst !== undefined && perMinute === undefined)
    throw new TypeError(`${where}: "burst" says how "perMinute" begins; give it one, or leave "burst" out.`)
  if (maxWaitMs === undefined) return
  if (perMinute === undefined || over === 'refuse')
    throw new TypeError(
      `${where}: "maxWaitMs" is how long to wait for "perMinute", and nobody waits here; leave it out.`,
    )
  if (maxWaitMs < 0) throw new TypeError(`${where}: "maxWaitMs" must not be below 0.`)
}

const BREAKER_OPTIONS = {
  failures: 'number',
  openMs: 'number',
  probes: 'number',
  sources: 'texts',
} as const satisfies Record<keyof BreakerOptions, OptionKind>

export function checkBreaker(where: string, breaker: unknown): void {
  if (breaker === undefined || breaker === false) return
  if (breaker === true)
    throw new TypeError(`${where} must be an object, not true; {} has the usual numbers, false is none.`)
  checkOptions(where, breaker, BREAKER_OPTIONS)
  const { sources, ...counts } = breaker as BreakerOptions
  for (const [name, value] of Object.entries(counts)) checkCount(where, name, value)
  if (sources !== undefined) checkNames(`${where}: "sources"`, sources)
}

function orList(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
