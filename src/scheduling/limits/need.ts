import type { CallRow } from '../../storage/store.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { CompiledLimit } from './compile-limit.js'
import type { LimitDimension } from './limit-rule.js'
import { dueAfter, waitMsFor } from './rate.js'

/** One count that a call must find room in. What is kept of it is one number: a time for a rate, a sum for a run. */
export interface Need {
  readonly kind: 'rate' | 'run'
  readonly key: string
  readonly limit: CompiledLimit
  readonly tool: CatalogTool
  /** The call that needs it, as far as the count depends on it. */
  readonly row: Readonly<CallRow>
}

/** Whose count it is. An actor that was not named is `null`. */
export type CountedBy = Partial<Record<LimitDimension, string | null>>

/** One run: the session of its surface, or the surface itself. */
export type RunName = { session: string } | { surface: string }

/** Some needs have no room now. */
export interface Short {
  /** The one to name: a spent run, or the rate that takes longest. */
  readonly need: Need
  /** All of them. */
  readonly needs: readonly Need[]
  /** Infinite where the wait would never end. */
  readonly waitMs: number
  /** The shortest time that one of them lets a call wait. */
  readonly maxWaitMs: number
}

export interface Scales {
  kept: (need: Need, index: number) => number | undefined
  now: number
  /** How many wait before the call; absent: nobody. */
  before?: ((need: Need) => number) | undefined
}

/** Whether there is room for all of them, from what was kept of each; if not, which of them is to be named. */
export function weigh(needs: readonly Need[], { kept, now, before }: Scales): Short | undefined {
  let short: Short | undefined
  for (let index = 0; index < needs.length; index++) {
    const need = needs[index]!
    const state = kept(need, index)
    const waitMs =
      need.kind === 'rate'
        ? waitMsFor(state, need.limit.rate!, now, before?.(need))
        : (state ?? 0) < need.limit.perRun!
          ? 0
          : Infinity
    if (waitMs > 0) short = withShort(short, need, waitMs)
  }
  return short
}

function withShort(short: Short | undefined, need: Need, waitMs: number): Short {
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

/** What is kept once the call is counted. */
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
