import type { Concept } from './find-concepts.js'
import type { FieldName } from './tool-fields.js'

/** A related word counts less than the same word. */
const RELATED_SHARE = 0.7

/** The stems of a tool's texts. */
export type StemsByField = ReadonlyMap<FieldName, ReadonlySet<string>>

/** Evidence about the words of one query: how rare they are, and which of them a tool has. */
export interface QueryEvidence {
  /** The share of these stems that is in the query, from 0 to 1, weighted by rarity. */
  askedShare(stems: ReadonlySet<string> | undefined): number
  /**
   * The confidence that a tool is the one that was meant, from 0 to 1. Unlike a ranking value it is comparable across
   * queries.
   */
  confidence(stems: StemsByField, nearness: number): number
}

/**
 * The weight of each kind of evidence: the query's words in the tool, the tool's words in the query, and nearness in
 * meaning.
 */
const shares = { query: 2, name: 0.5, description: 1.5, nearness: 1 } as const
const ALL = shares.query + shares.name + shares.description + shares.nearness

export function createQueryEvidence(
  concepts: readonly Concept[],
  { rarityOf, rarityOfNone }: { rarityOf: (term: string) => number; rarityOfNone: number },
): QueryEvidence {
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

  /** The share of the query's words that the tool has. */
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
