import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { Ranked } from './rank-tools.js'

export interface Candidate extends Ranked {
  tool: CatalogTool
}

/** A frequently used tool is preferred only where the ranking is nearly even. */
const USAGE_SHARE = 0.06
/** So is a tool of a source that is not among the hits yet. */
const REPEATED_SHARE = 0.015
const MAX_REPEATED = 3

/** The order of hits: by value, slightly by use, slightly by source. */
export function orderHits(
  candidates: readonly Candidate[],
  { usageOf, limit }: { usageOf: ((toolId: string) => number) | undefined; limit: number },
): Candidate[] {
  const worth = candidates.map((candidate) => ({
    candidate,
    value: candidate.value * (1 + USAGE_SHARE * (usageOf?.(candidate.tool.toolId) ?? 0)),
  }))
  const shown: Candidate[] = []
  const timesShown = new Map<string, number>()
  const worthNow = ({ candidate, value }: (typeof worth)[number]): number =>
    value * (1 - REPEATED_SHARE * Math.min(MAX_REPEATED, timesShown.get(originOf(candidate.tool)) ?? 0))
  const take = (rest: typeof worth): void => {
    while (shown.length < limit && rest.length > 0) {
      let best = 0
      for (let index = 1; index < rest.length; index++)
        if (worthNow(rest[index]!) > worthNow(rest[best]!)) best = index
      const [{ candidate }] = rest.splice(best, 1) as [(typeof worth)[number]]
      shown.push(candidate)
      const origin = originOf(candidate.tool)
      timesShown.set(origin, (timesShown.get(origin) ?? 0) + 1)
    }
  }
  take(worth.filter(({ candidate }) => !isDeprecated(candidate)))
  // Deprecated tools come last, at any score.
  take(worth.filter(({ candidate }) => isDeprecated(candidate)))
  return shown
}

function isDeprecated({ tool }: Candidate): boolean {
  return tool.draft.lifecycle === 'deprecated'
}

function originOf({ source, draft }: CatalogTool): string {
  return `${source} ${draft.namespace}`
}
