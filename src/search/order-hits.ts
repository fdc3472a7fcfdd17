import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { Ranked } from './rank-tools.js'

export interface Candidate extends Ranked {
  tool: CatalogTool
}

/** A tool that is used all the time is preferred where the words leave it open, and nowhere else. */
const FAMILIAR_SHARE = 0.06
/** So is a tool of a source that is not there yet. */
const REPEATED_SHARE = 0.015
const MAX_REPEATED = 3

/** The order in which tools are shown: by what they are worth, a little by use, a little by where they come from. */
export function orderHits(
  candidates: readonly Candidate[],
  { familiarityOf, limit }: { familiarityOf: ((toolId: string) => number) | undefined; limit: number },
): Candidate[] {
  const worth = candidates.map((candidate) => ({
    candidate,
    value: candidate.value * (1 + FAMILIAR_SHARE * (familiarityOf?.(candidate.tool.toolId) ?? 0)),
  }))
  const shown: Candidate[] = []
  const timesShown = new Map<string, number>()
  const worthNow = ({ candidate, value }: (typeof worth)[number]): number =>
    value * (1 - REPEATED_SHARE * Math.min(MAX_REPEATED, timesShown.get(placeOf(candidate.tool)) ?? 0))
  const take = (rest: typeof worth): void => {
    while (shown.length < limit && rest.length > 0) {
      let best = 0
      for (let index = 1; index < rest.length; index++)
        if (worthNow(rest[index]!) > worthNow(rest[best]!)) best = index
      const [{ candidate }] = rest.splice(best, 1) as [(typeof worth)[number]]
      shown.push(candidate)
      const place = placeOf(candidate.tool)
      timesShown.set(place, (timesShown.get(place) ?? 0) + 1)
    }
  }
  take(worth.filter(({ candidate }) => !isDeprecated(candidate)))
  // Whatever they are worth: nobody is to begin with them.
  take(worth.filter(({ candidate }) => isDeprecated(candidate)))
  return shown
}

function isDeprecated({ tool }: Candidate): boolean {
  return tool.draft.lifecycle === 'deprecated'
}

function placeOf({ source, draft }: CatalogTool): string {
  return `${source} ${draft.namespace}`
}
