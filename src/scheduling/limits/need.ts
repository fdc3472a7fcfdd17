import type { CallRow } from '../../storage/store.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { CompiledLimit } from './compile-limit.js'
import type { LimitDimension } from './limit-rule.js'
import { dueAfter, waitMsFor } from './rate.js'

/** One count that must have capacity for a call. Its stored state is one number: a time for a rate, a sum for a run. */
export interface Need {
  readonly kind: 'rate' | 'run'
  readonly key: string
  readonly limit: CompiledLimit
  readonly tool: CatalogTool
  /** The row of the call, which determines the key. */
  readonly row: Readonly<CallRow>
}

/** The values that the count is kept for. An unnamed actor is `null`. */
export type CountedBy = Partial<Record<LimitDimension, string | null>>

/** A run: the session of a surface, or the surface itself. */
export type RunName = { session: string } | { surface: string }

/** Some needs have no capacity now. */
export interface Shortage {
  /** The need to report: a spent run, or the rate with the longest wait. */
  readonly need: Need
  /** All needs without capacity. */
  readonly needs: readonly Need[]
  /** Infinity if waiting does not help. */
  readonly waitMs: number
  /** The shortest of their maximum waits. */
  readonly maxWaitMs: number
}

export interface NeedState {
  kept: (need: Need, index: number) => number | undefined
  now: number
  /** How many calls wait before this one; absent: none. */
  before?: ((need: Need) => number) | undefined
}

/** Compares the needs with their stored state. Returns `undefined` if all of them have capacity. */
export function findShortage(needs: readonly Need[], { kept, now, before }: NeedState): Shortage | undefined {
  let short: Shortage | undefined
  for (let index = 0; index < needs.length; index++) {
    const need = needs[index]!
    const state = kept(need, index)
    const waitMs =
      need.kind === 'rate'
        ? waitMsFor(state, need.limit.rate!, now, before?.(need))
        : (state ?? 0) < need.limit.perRun!
          ? 0
          : Infinity
    if (waitMs > 0) short = withShortage(short, need, waitMs)
  }
  return short
}

function withShortage(short: Shortage | undefined, need: Need, waitMs: number): Shortage {
  const { maxWaitMs } = need.limit
  if (!short) return { need, needs: [need], waitMs, maxWaitMs }
  const longest = short.waitMs >= waitMs ? short : { need, waitMs }
  return {
    need: longest.need,
    needs: [...short.needs, need],
    waitMs: longest.waitMs,
    maxWaitMs: Math.min(maxWaitMs, short.maxWaitMs),
  }
}

/** The state after the call was counted. */
export function counted({ kind, limit }: Need, kept: number | undefined, now: number): number {
  return kind === 'rate' ? dueAfter(kept, limit.rate!, now) : (kept ?? 0) + 1
}

export function countedBy({ by }: CompiledLimit, tool: CatalogTool, row: Readonly<CallRow>): CountedBy {
  const values: CountedBy = {}
  for (const dimension of by) values[dimension] = valueOf(dimension, tool, row)
  return values
}

function valueOf(dimension: LimitDimension, tool: CatalogTool, row: Readonly<CallRow>): string | null {
  switch (dimension) {
    case 'tool':
      return tool.toolId
    case 'source':
      return tool.source
    case 'tenant':
      return row.tenant
    case 'actor':
      return row.actor ?? null
  }
}

export function runOf({ session, surfaceId }: Readonly<CallRow>): RunName {
  return session === undefined ? { surface: surfaceId } : { session }
}
