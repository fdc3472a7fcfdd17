import type { Concept } from './find-concepts.js'
import type { FieldName } from './tool-fields.js'

/** Other words for the same are less sure than the same words. */
const RELATED_SHARE = 0.7

/** The stems of what a tool says of itself. */
export type StemsByField = ReadonlyMap<FieldName, ReadonlySet<string>>

/** What is known of the words of one query: how rare they are, and which of them a tool has. */
export interface Witness {
  /** Which share of these stems the query has, from 0 to 1, by rarity. */
  askedShare(stems: ReadonlySet<string> | undefined): number
  /** How sure one may be that a tool is what was meant, from 0 to 1. Unlike a value in a ranking it says the same across queries. */
  confidence(stems: StemsByField, nearness: number): number
}

/** How much is heard of each witness: what the tool has of the query, the query of the tool, and how near they mean. */
const shares = { query: 2, name: 0.5, description: 1.5, nearness: 1 } as const
const ALL = shares.query + shares.name + shares.description + shares.nearness

export function createWitness(
  concepts: readonly Concept[],
  { rarityOf, rarityOfNone }: { rarityOf: (term: string) => number; rarityOfNone: number },
): Witness {
  const asked = new Map<string, number>()
  for (const { alternatives } of concepts) {
    for (const { places, kind } of alternatives) {
      const share = kind === 'related' ? RELATED_SHARE : 1
      asked.set(places.term, Math.max(asked.get(places.term) ?? 0, share))
    }
  }
  const wanted = concepts.map(({ alternatives, isKnown, weight }) => {
    const rarest = Math.max(0, ...alternatives.map(({ places, share }) => rarityOf(places.term) * share))
    return { alternatives, worth: weight * (rarest > 0 ? rarest : isKnown ? rarityOfNone : 0) }
  })

  function askedShare(stems: ReadonlySet<string> | undefined): number {
    let found = 0
    let all = 0
    for (const stem of stems ?? []) {
      const rarity = rarityOf(stem)
      all += rarity
      found += rarity * (asked.get(stem) ?? 0)
    }
    return all === 0 ? 0 : found / all
  }

  /** Which share of the query's words the tool has. */
  function hadShare(stems: StemsByField): number {
    const fields = [...stems.values()]
    let found = 0
    let all = 0
    for (const { alternatives, worth } of wanted) {
      let had = 0
      for (const { places, kind } of alternatives) {
        const isThere = fields.some((some) => some.has(places.term))
        if (isThere) had = Math.max(had, kind === 'related' ? RELATED_SHARE : 1)
      }
      all += worth
      found += worth * had
    }
    return all === 0 ? 0 : found / all
  }

  return {
    askedShare,
    confidence: (stems, nearness) =>
      (shares.query * hadShare(stems) +
        shares.name * askedShare(stems.get('name')) +
        shares.description * askedShare(stems.get('description')) +
        shares.nearness * Math.min(1, nearness)) /
      ALL,
  }
}
