import { createTermIndex } from './term-index.js'
import { splitWords } from './words/split-words.js'
import { isContentWord, stemOf, toStems } from './words/to-stems.js'

/** A part of a document that can be found by itself. */
export interface Section {
  /** Headings above it and its own, and the name of its document. */
  readonly title: string
  readonly text: string
}

export interface FoundSection<Found extends Section> {
  readonly section: Found
  /** From 0 to 1: how much of the query it covers, rare words counting more. */
  readonly score: number
}

export interface SectionSearch<Found extends Section> {
  /** The best sections first. `mayFind` leaves out sections that the caller may not see. */
  search(
    query: string,
    options: { limit: number; mayFind(section: Found): boolean },
  ): readonly FoundSection<Found>[]
}

/** A word of a title says more than a word of a text. */
const TITLE_WEIGHT = 4
/** How much the length of a text lowers the weight of its words. */
const LENGTH_SHARE = 0.6
const USUAL_WORDS = 120
/** A word that occurs often says little more than one that occurs. */
const SATURATION = 1.2

/** Finds sections of documents by the words of a query, by their stems. */
export function createSectionSearch<Found extends Section>(sections: readonly Found[]): SectionSearch<Found> {
  const index = createTermIndex()
  for (const [ordinal, section] of sections.entries()) index.add(ordinal, weigh(section))
  return {
    search(query, { limit, mayFind }) {
      const terms = termsOf(query)
      const scores = new Map<number, number>()
      let most = 0
      for (const term of terms) {
        const postings = index.postings.get(term)
        const rarity = Math.log(1 + sections.length / (postings?.tools ?? 0.5))
        most += rarity
        if (!postings) continue
        for (let at = 0; at < postings.length; at++) {
          const ordinal = postings.ordinals[at]!
          const weight = postings.weights[at]!
          scores.set(ordinal, (scores.get(ordinal) ?? 0) + (rarity * weight) / (weight + SATURATION))
        }
      }
      return [...scores]
        .toSorted(([one, a], [other, b]) => b - a || one - other)
        .map(([ordinal, score]) => ({
          section: sections[ordinal]!,
          score: Math.round((score / most) * 1000) / 1000,
        }))
        .filter(({ section }) => mayFind(section))
        .slice(0, limit)
    },
  }
}

/** The stems of a query; of all its words if none of them carries meaning. */
function termsOf(query: string): ReadonlySet<string> {
  const stems = toStems(query)
  return new Set(stems.length > 0 ? stems : splitWords(query).map(stemOf))
}

function weigh({ title, text }: Section): Map<string, number> {
  const weights = new Map<string, number>()
  const words = splitWords(text).filter(isContentWord)
  const each = 1 / (1 - LENGTH_SHARE + (LENGTH_SHARE * words.length) / USUAL_WORDS)
  const add = (word: string, weight: number): void => {
    const stem = stemOf(word)
    weights.set(stem, (weights.get(stem) ?? 0) + weight)
  }
  for (const word of words) add(word, each)
  for (const word of splitWords(title)) add(word, TITLE_WEIGHT)
  return weights
}
