import type { CallRow } from '../../storage/store.js'
import { meansTool } from '../../policy/rules/means-tool.js'
import { toTextTest } from '../../policy/patterns/glob-text.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { toRuleTool } from '../../catalog/records/to-rule-tool.js'
import { limitDimensions, type LimitDimension, type LimitRule } from './limit-rule.js'
import type { Rate } from './rate.js'

const DEFAULT_MAX_WAIT_MS = 60_000

/** A limit with everything said that it left unsaid, and its patterns ready to be matched. */
export interface CompiledLimit {
  /** The same in every process that has this limit: counts are kept under it. */
  readonly id: string
  readonly by: readonly LimitDimension[]
  readonly of: Readonly<Partial<Record<LimitDimension, readonly string[]>>>
  readonly rate: Rate | undefined
  readonly concurrent: number | undefined
  readonly perRun: number | undefined
  readonly over: 'wait' | 'refuse'
  /** How long a call may be kept waiting for the rate. */
  readonly maxWaitMs: number
  meansTool(tool: CatalogTool): boolean
  meansCaller(row: Readonly<CallRow>): boolean
}

export type FindTool = (name: string) => CatalogTool | undefined

export function compileLimits(rules: readonly LimitRule[], find: FindTool): CompiledLimit[] {
  const seen = new Map<string, number>()
  return rules.map((rule) => {
    const limit = compileLimit(rule, find)
    const count = (seen.get(limit.id) ?? 0) + 1
    seen.set(limit.id, count)
    // Two limits about the same calls, such as one to wait for and one that refuses, count apart.
    return count === 1 ? limit : { ...limit, id: `${limit.id}#${count}` }
  })
}

function compileLimit(rule: LimitRule, find: FindTool): CompiledLimit {
  const { perMinute, burst, concurrent, perRun, maxWaitMs = DEFAULT_MAX_WAIT_MS } = rule
  const isBudget = perMinute === undefined && concurrent === undefined
  const over = rule.over ?? (isBudget ? 'refuse' : 'wait')
  const given = typeof rule.by === 'string' ? [rule.by] : rule.by
  // Two tenants may each have an actor of one name, and they are not the same.
  const by = limitDimensions.filter(
    (each) => given.includes(each) || (each === 'tenant' && given.includes('actor')),
  )
  const of = scopeOf(rule, given[0]!)
  const isSource = textTest(of.source)
  const isTenant = textTest(of.tenant)
  const isActor = textTest(of.actor)
  return {
    id: `${by.join('+')} ${JSON.stringify(of)}`,
    by,
    of,
    rate: perMinute === undefined ? undefined : { perMinute, burst: burst ?? perMinute },
    concurrent,
    perRun,
    over,
    maxWaitMs: over === 'refuse' ? 0 : maxWaitMs,
    meansTool: (tool) => isSource(tool.source) && (!of.tool || meansOneOf(of.tool, tool, find)),
    meansCaller: ({ tenant, actor = '' }) => isTenant(tenant) && isActor(actor),
  }
}

function scopeOf({ of }: LimitRule, only: LimitDimension): CompiledLimit['of'] {
  if (of === undefined) return {}
  const scope = typeof of === 'string' || Array.isArray(of) ? { [only]: of } : of
  const lists = limitDimensions.flatMap((dimension) => {
    const names = (scope as Partial<Record<LimitDimension, string | readonly string[]>>)[dimension]
    return names === undefined ? [] : [[dimension, [names].flat().sort()] as const]
  })
  return Object.fromEntries(lists)
}

export function textTest(patterns: readonly string[] | undefined): (text: string) => boolean {
  if (!patterns) return () => true
  const tests = patterns.map(toTextTest)
  return (text) => tests.some((test) => test(text))
}

/** As a deny means it: by any of its names, so that none of them slips past. */
export function meansOneOf(patterns: readonly string[], tool: CatalogTool, find: FindTool): boolean {
  const ruleTool = toRuleTool(tool, find)
  return patterns.some((pattern) => meansTool({ behavior: 'deny', tool: pattern }, ruleTool))
}
