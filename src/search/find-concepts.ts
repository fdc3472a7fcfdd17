import type { QueryPart } from './parse-query.js'
import type { Postings } from './term-index.js'
import type { TermList } from './nearest-terms.js'
import type { SearchParts } from './tool-search.js'
import { splitCompound, type RankOf } from './words/split-compound.js'
import { relatedWords } from './words/related-words.js'
import { stemOf } from './words/to-stems.js'

/** How a word of the query led to a term of the index. */
export type MatchKind = 'same' | 'joined' | 'related' | 'spelling'

export interface Alternative {
  places: Postings
  kind: MatchKind
  /** The weight of a match, relative to one of the same word. */
  share: number
}

/** One word of the query with all terms that may express it. */
export interface Concept {
  word: string
  stem: string
  alternatives: readonly Alternative[]
  /** A word of the language, not a name, a number or an id: that no tool has it is informative. */
  isKnown: boolean
  /** Common words weigh less, even where few tools have them. */
  weight: number
}

const SHARES: Readonly<Record<MatchKind, number>> = { same: 1, joined: 0.9, related: 0.4, spelling: 0.7 }

/** Where words are looked up. */
export interface Lexicon {
  placesOf(term: string): Postings | undefined
  spelling(): TermList
  /** Absent where the language's words are not known. */
  rankOf: RankOf | undefined
  parts: SearchParts
}

/** The index terms for the words of one part of a query. */
export function findConcepts({ words: given }: QueryPart, lexicon: Lexicon): Concept[] {
  const { placesOf, spelling, rankOf, parts } = lexicon
  const concepts = new Map<string, Concept>()
  const words = given.flatMap((word) => apart(word, lexicon))
  const taken = new Set(words.map(stemOf))
  words.forEach((word, index) => {
    const stem = stemOf(word)
    if (concepts.has(stem)) return
    const alternatives: Alternative[] = []
    const add = (term: string, kind: MatchKind): void => {
      const places = placesOf(term)
      if (places && !alternatives.some((known) => known.places === places))
        alternatives.push({ places, kind, share: SHARES[kind] })
    }
    add(stem, 'same')
    // "word cloud" matches a tool with "wordcloud"
    const after = words[index + 1]
    if (after !== undefined) add(stemOf(word + after), 'joined')
    const before = words[index - 1]
    if (before !== undefined) add(stemOf(before + word), 'joined')
    for (const related of parts.related ? relatedWords(stem) : []) {
      // One word of a tool answers one word of the query: "schedule" and "meeting" must not both match "book".
      if (taken.has(related)) continue
      taken.add(related)
      add(related, 'related')
    }
    const rank = rankOf?.(word)
    const isKnown = rank !== undefined
    if (parts.spelling && alternatives.every(({ kind }) => kind === 'related')) {
      // A word of the language is spelled correctly; then the tool's author may have misspelled it.
      const mayBeMeant = (term: string): boolean => !isKnown || rankOf!(term) === undefined
      for (const near of spelling().nearest(stem).filter(mayBeMeant)) add(near, 'spelling')
    }
    concepts.set(stem, { word, stem, alternatives, isKnown, weight: weightOf(rank) })
  })
  return [...concepts.values()]
}

const RARE_RANK = 3_000
const COMMON_SHARE = 0.6

/** From a word's frequency in the language: the most common ones count for a little over half. */
function weightOf(rank: number | undefined): number {
  return rank === undefined ? 1 : COMMON_SHARE + (1 - COMMON_SHARE) * Math.min(1, rank / RARE_RANK)
}

/** A word that no tool has may be two words that they have. */
function apart(word: string, { placesOf, rankOf }: Lexicon): readonly string[] {
  if (!rankOf || placesOf(stemOf(word))) return [word]
  const compound = splitCompound(word, rankOf)
  return compound.length > 0 ? compound : [word]
}
