import { atMost } from '../at-most.js'
import type { Nearness } from '../rank-tools.js'
import type { SentenceLine } from './sentence-line.js'
import { toSentence } from './tool-sentence.js'
import type { VectorIndex } from './vector-index.js'

/** Who searches does not wait longer for a model; words find too. */
const PATIENCE_MS = 150
const MAX_REMEMBERED = 256

/** Compares queries with tools by what their sentences mean. */
export interface SentenceSearch {
  /** Nothing where the model has not answered in time; what comes late is there for the next search of the same. */
  nearnessTo(texts: readonly string[], index: VectorIndex): Promise<Nearness | undefined>
}

export function createSentenceSearch(line: SentenceLine, patienceMs = PATIENCE_MS): SentenceSearch {
  const remembered = new Map<string, Float32Array>()

  function remember(text: string, vector: Float32Array): void {
    const oldest = remembered.keys().next()
    if (remembered.size >= MAX_REMEMBERED && !oldest.done) remembered.delete(oldest.value)
    remembered.set(text, vector)
  }

  return {
    async nearnessTo(given, index) {
      const texts = [...new Set(given.map(toSentence))].filter((text) => text !== '')
      const missing = texts.filter((text) => !remembered.has(text))
      if (missing.length > 0) {
        const asked = line.askNow(missing).then((vectors) => {
          vectors?.forEach((vector, at) => remember(missing[at]!, vector))
        })
        await atMost(asked, patienceMs)
      }
      if (!texts.every((text) => remembered.has(text))) return undefined
      const vectors = new Map(texts.map((text) => [text, remembered.get(text)!]))
      return (text, among) => {
        const vector = vectors.get(toSentence(text))
        return vector && index.nearness(vector, among)
      }
    },
  }
}
