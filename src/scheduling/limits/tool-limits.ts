import type { CallRow } from '../../storage/store.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { Slot } from '../claim.js'
import type { LimitedCall } from '../rate-limits.js'
import { compileSurfaceLimits, type CompiledLimit, type FindTool } from './compile-limit.js'
import type { Need } from './need.js'
import { limitedCalls, tooManyAtOnce } from './refusals.js'

/** The limits that apply to one tool, computed once. */
export interface ToolLimits {
  /** Whether any limit applies to its calls. */
  readonly hasAny: boolean
  /** Whether its source has a circuit. */
  readonly isWatched: boolean
  needs(row: Readonly<CallRow>): readonly Need[]
  slots(row: Readonly<CallRow>): readonly Slot[]
}

export function createToolLimits(
  limits: readonly CompiledLimit[],
  watches: (source: string) => boolean,
): (tool: CatalogTool) => ToolLimits {
  const known = new WeakMap<CatalogTool, ToolLimits>()
  return (tool) => {
    let found = known.get(tool)
    if (!found) known.set(tool, (found = limitsOf(tool, limits, watches(tool.source))))
    return found
  }
}

/** The same for the limits of the surface of a call. They are compiled once for each built surface. */
export function createSurfaceLimits(find: FindTool): (call: LimitedCall) => ToolLimits {
  const known = new WeakMap<object, (tool: CatalogTool) => ToolLimits>()
  return ({ surface: { request }, tool }) => {
    let limitsFor = known.get(request)
    if (!limitsFor)
      known.set(request, (limitsFor = createToolLimits(compileSurfaceLimits(request, find), () => false)))
    return limitsFor(tool!)
  }
}

function limitsOf(tool: CatalogTool, limits: readonly CompiledLimit[], isWatched: boolean): ToolLimits {
  const own = limits.filter((limit) => limit.meansTool(tool)).map((limit) => toToolLimit(limit, tool))
  let last: Found | undefined

  // One caller usually makes several calls in a row: their keys are computed once.
  function foundFor(row: Readonly<CallRow>): Found {
    if (last && isSameCaller(last.row, row)) return last
    const needs = own.flatMap((each) => each.needs(row))
    return (last = { row, needs, slots: own.flatMap((each) => each.slots(row)) })
  }

  return {
    hasAny: isWatched || own.length > 0,
    isWatched,
    needs: (row) => foundFor(row).needs,
    slots: (row) => foundFor(row).slots,
  }
}

interface Found {
  readonly row: Readonly<CallRow>
  readonly needs: readonly Need[]
  readonly slots: readonly Slot[]
}

/** Compares everything that a key may contain. */
function isSameCaller(a: Readonly<CallRow>, b: Readonly<CallRow>): boolean {
  return (
    a.tenant === b.tenant &&
    a.actor === b.actor &&
    a.session === b.session &&
    // Without a session, the surface is the run.
    (a.session !== undefined || a.surfaceId === b.surfaceId)
  )
}

interface ToolLimit {
  needs(row: Readonly<CallRow>): Need[]
  slots(row: Readonly<CallRow>): Slot[]
}

function toToolLimit(limit: CompiledLimit, tool: CatalogTool): ToolLimit {
  const { by, rate, perRun, concurrent, over } = limit
  const stem = `${part(limit.id)}${by.includes('tool') ? part(tool.toolId) : ''}${by.includes('source') ? part(tool.source) : ''}`
  const keyOf = ({ tenant, actor }: Readonly<CallRow>): string =>
    `${stem}${by.includes('tenant') ? part(tenant) : ''}${by.includes('actor') ? part(actor) : ''}`
  return {
    needs(row) {
      if (!limit.meansCaller(row)) return []
      const needs: Need[] = []
      const key = keyOf(row)
      if (rate) needs.push({ kind: 'rate', key: `rate ${key}`, limit, tool, row })
      if (perRun !== undefined)
        needs.push({ kind: 'run', key: `run ${key}${runPart(row)}`, limit, tool, row })
      return needs
    },
    slots(row) {
      if (concurrent === undefined || !limit.meansCaller(row)) return []
      const name = limitedCalls(limit, tool, row)
      const slot = { key: `limit ${keyOf(row)}`, width: concurrent, name }
      return [over === 'refuse' ? { ...slot, refuse: () => tooManyAtOnce(limit, tool, row) } : slot]
    },
  }
}

function runPart({ tenant, session, surfaceId }: Readonly<CallRow>): string {
  return `${part(tenant)}${session === undefined ? `surface ${part(surfaceId)}` : `session ${part(session)}`}`
}

// Prefixed with its length, so that different names never produce the same key.
function part(text: string | undefined): string {
  return text === undefined ? '-' : `${text.length}:${text}`
}
