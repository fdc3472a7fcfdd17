import type { CallRow } from '../../storage/store.js'
import { meansTool } from '../../policy/rules/means-tool.js'
import { toTextTest } from '../../policy/patterns/glob-text.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { toRuleTool } from '../../catalog/records/to-rule-tool.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { limitDimensions, type LimitDimension, type LimitRule } from './limit-rule.js'
import type { Rate } from './rate.js'

const DEFAULT_MAX_WAIT_MS = 60_000

/** A limit with its defaults filled in and its patterns compiled. */
export interface CompiledLimit {
  /** The same in every process with this limit: counts are stored under it. */
  readonly id: string
  readonly by: readonly LimitDimension[]
  readonly of: Readonly<Partial<Record<LimitDimension, readonly string[]>>>
  readonly rate: Rate | undefined
  readonly concurrent: number | undefined
  readonly perRun: number | undefined
  readonly over: 'wait' | 'refuse'
  /** How long a call may wait for the rate. */
  readonly maxWaitMs: number
  /** The agent whose surface has the limit. */
  readonly agent?: string | undefined
  meansTool(tool: CatalogTool): boolean
  meansCaller(row: Readonly<CallRow>): boolean
}

/** The limits that a surface has itself: calls of a tool that one run may make. The calls of an agent count apart. */
export function compileSurfaceLimits(
  { maxCallsPerRun = {}, agent }: Pick<SurfaceRequest, 'maxCallsPerRun' | 'agent'>,
  find: FindTool,
): CompiledLimit[] {
  return Object.entries(maxCallsPerRun).map(([tool, perRun]) => {
    const limit = compileLimit({ by: 'tool', of: tool, perRun }, find)
    return { ...limit, id: `surface ${agent === undefined ? '' : `of ${agent} `}${limit.id}`, agent }
  })
}

export type FindTool = (name: string) => CatalogTool | undefined

export function compileLimits(rules: readonly LimitRule[], find: FindTool): CompiledLimit[] {
  const seen = new Map<string, number>()
  return rules.map((rule) => {
    const limit = compileLimit(rule, find)
    const count = (seen.get(limit.id) ?? 0) + 1
    seen.set(limit.id, count)
    // Two limits with the same scope, such as one that waits and one that refuses, count separately.
    return count === 1 ? limit : { ...limit, id: `${limit.id}#${count}` }
  })
}

function compileLimit(rule: LimitRule, find: FindTool): CompiledLimit {
  const { perMinute, burst, concurrent, perRun, maxWaitMs = DEFAULT_MAX_WAIT_MS } = rule
  const isBudget = perMinute === undefined && concurrent === undefined
  const over = rule.over ?? (isBudget ? 'refuse' : 'wait')
  const given = typeof rule.by === 'string' ? [rule.by] : rule.by
  // Actors of the same name in two tenants are different actors.
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

/** Matches like a deny rule: by any name of the tool, so that no other name evades the limit. */
export function meansOneOf(patterns: readonly string[], tool: CatalogTool, find: FindTool): boolean {
  const ruleTool = toRuleTool(tool, find)
  return patterns.some((pattern) => meansTool({ behavior: 'deny', tool: pattern }, ruleTool))
}
