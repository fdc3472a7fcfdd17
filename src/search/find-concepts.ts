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
  /** What a match counts against one of the very word. */
  share: number
}

/** One word of the query and every way in which a tool may speak of it. */
export interface Concept {
  word: string
  stem: string
  alternatives: readonly Alternative[]
  /** A word of the language, and not a name, a number or an id: that no tool has it says something. */
  isKnown: boolean
  /** Common words say less, also where few tools have them. */
  weight: number
}

const SHARES: Readonly<Record<MatchKind, number>> = { same: 1, joined: 0.9, related: 0.4, spelling: 0.7 }

/** Where words are looked up. */
export interface Lexicon {
  placesOf(term: string): Postings | undefined
  spelling(): TermList
  /** Absent where the words of the language are not known. */
  rankOf: RankOf | undefined
  parts: SearchParts
}

/** What the words of one part of a query may stand for in the index. */
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
    // "word cloud" for a tool that says "wordcloud"
    const after = words[index + 1]
    if (after !== undefined) add(stemOf(word + after), 'joined')
    const before = words[index - 1]
    if (before !== undefined) add(stemOf(before + word), 'joined')
    for (const related of parts.related ? relatedWords(stem) : []) {
      // One word of a tool answers one word of the query: "schedule" and "meeting" must not both be "book".
      if (taken.has(related)) continue
      taken.add(related)
      add(related, 'related')
    }
    const rank = rankOf?.(word)
    const isKnown = rank !== undefined
    if (parts.spelling && alternatives.every(({ kind }) => kind === 'related')) {
      // A word of the language is right as it is; then the tool's author may have misspelt it.
      const mayBeMeant = (term: string): boolean => !isKnown || rankOf!(term) === undefined
      for (const near of spelling().nearest(stem).filter(mayBeMeant)) add(near, 'spelling')
    }
    concepts.set(stem, { word, stem, alternatives, isKnown, weight: weightOf(rank) })
  })
  return [...concepts.values()]
}

const RARE_RANK = 3_000
const COMMON_SHARE = 0.6

/** From how common a word is in the language: the commonest count for a little over half. */
function weightOf(rank: number | undefined): number {
  return rank === undefined ? 1 : COMMON_SHARE + (1 - COMMON_SHARE) * Math.min(1, rank / RARE_RANK)
}

/** A word that no tool has may be two that they have. */
function apart(word: string, { placesOf, rankOf }: Lexicon): readonly string[] {
  if (!rankOf || placesOf(stemOf(word))) return [word]
  const compound = splitCompound(word, rankOf)
  return compound.length > 0 ? compound : [word]
}
