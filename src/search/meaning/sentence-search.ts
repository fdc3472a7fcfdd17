import { withTimeLimit } from '../../platform/async/with-time-limit.js'
import type { Nearness } from '../rank-tools.js'
import type { EmbeddingQueue } from './embedding-queue.js'
import { toSentence } from './tool-sentence.js'
import type { VectorIndex } from './vector-index.js'

/** How long a search waits for the model; after that it uses words alone. */
const TIMEOUT_MS = 150
const MAX_REMEMBERED = 256

/** Compares queries with tools by sentence meaning. */
export interface SentenceSearch {
  /** Undefined where the model does not answer in time; a late answer is used by the next search for the same text. */
  nearnessTo(texts: readonly string[], index: VectorIndex): Promise<Nearness | undefined>
}

export function createSentenceSearch(queue: EmbeddingQueue, timeoutMs = TIMEOUT_MS): SentenceSearch {
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
        const asked = queue.askNow(missing).then((vectors) => {
          vectors?.forEach((vector, at) => remember(missing[at]!, vector))
        })
        await withTimeLimit(asked, timeoutMs)
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
