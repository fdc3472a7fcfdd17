import { splitWords } from '../words/split-words.js'
import { isContentWord } from '../words/to-stems.js'
import type { WordVectors } from './load-word-vectors.js'

/** The mean vector of some texts, of length 1; absent where none of their words is known. */
export function embedTexts(
  texts: readonly (readonly [text: string, weight: number])[],
  vectors: WordVectors,
): Float32Array | undefined {
  const sum = new Float32Array(vectors.dimensions)
  for (const [text, weight] of texts) {
    for (const word of splitWords(text)) {
      if (!isContentWord(word)) continue
      const rank = rankOf(word, vectors)
      if (rank !== undefined) vectors.addTo(sum, rank, weight)
    }
  }
  return toUnit(sum)
}

/** The rank of a known form of the word. */
function rankOf(word: string, { rankOf: find }: WordVectors): number | undefined {
  return find(word) ?? (word.length > 4 ? find(word.replace(/(?:es|s|ing|ed)$/, '')) : undefined)
}

export function toUnit(vector: Float32Array): Float32Array | undefined {
  let square = 0
  for (const number of vector) square += number * number
  if (square === 0) return undefined
  const length = Math.sqrt(square)
  return vector.map((number) => number / length)
}
