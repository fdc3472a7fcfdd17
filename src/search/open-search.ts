import type { Catalog } from '../catalog/catalog.js'
import { errorMessage } from '../platform/text/error-message.js'
import { analysisStamp } from './analyse-tool.js'
import { openAnalysisCache } from './analysis-cache.js'
import type { KeptAnalyses } from './kept-analyses.js'
import { loadWordVectors, type WordVectors } from './meaning/load-word-vectors.js'
import { createEmbeddingQueue, type EmbeddingQueue } from './meaning/embedding-queue.js'
import { openSentenceModel, type SentenceModel } from './meaning/sentence-model.js'
import { createSentenceSearch, type SentenceSearch } from './meaning/sentence-search.js'
import type { SearchParts } from './tool-search.js'
import { createToolIndex, searchIsClosed, type ToolIndex } from './tool-index.js'

export interface OpenSearchOptions {
  catalog: Catalog
  parts: SearchParts
  kept?: KeptAnalyses | undefined
  openModel?: (() => SentenceModel) | undefined
  loadVectors?: (() => Promise<WordVectors>) | undefined
  /** Called once per part of the search that fails to load; a process warning by default. */
  warn?: ((message: string) => void) | undefined
  /** How long `kept` may take to answer. */
  timeoutMs?: number
}

/** The parts of an open search. */
export interface OpenedSearch {
  readonly index: ToolIndex
  readonly vectors: WordVectors | undefined
  readonly sentences: SentenceSearch | undefined
  ready(): Promise<void>
  close(): Promise<void>
}

interface Sentences {
  model: SentenceModel
  queue: EmbeddingQueue
}

export async function openSearch(options: OpenSearchOptions): Promise<OpenedSearch> {
  const { catalog, parts, kept, loadVectors = loadWordVectors, warn = warnOnce } = options
  // Then only words count.
  const withoutThem = (error: unknown): undefined => {
    const why = errorMessage(error)
    warn(`Search by meaning is off, its word vectors cannot be read: ${why}`)
    return undefined
  }
  const vectors = parts.meaning ? await loadVectors().catch(withoutThem) : undefined
  let isClosed = false
  let problem: Error | undefined
  const report = (error: Error): void => {
    if (problem || isClosed) return
    problem = error
    warn(error.message)
  }
  const embedding = parts.sentences ? openSentences(options, report) : undefined
  const cache =
    kept &&
    (await openAnalysisCache({
      kept,
      stamp: analysisStamp(vectors),
      dimensions: vectors?.dimensions,
      model: embedding?.model,
      ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    }))
  const index = createToolIndex({
    catalog,
    vectors,
    cache,
    sentences: embedding && { queue: embedding.queue, dimensions: embedding.model.dimensions },
  })
  return {
    index,
    vectors,
    sentences: embedding && createSentenceSearch(embedding.queue),
    async ready() {
      await index.settle()
      if (embedding) await whileAlive(embedding.queue.idle())
      if (isClosed) throw searchIsClosed()
      if (problem) throw problem
    },
    async close() {
      isClosed = true
      index.close()
      embedding?.queue.close()
      await embedding?.model.close()
      await cache?.close()
    },
  }
}

const warned = new Set<string>()

/** A process may have many searches, and one fault of its installation is one warning. */
function warnOnce(message: string): void {
  if (warned.has(message)) return
  warned.add(message)
  process.emitWarning(message)
}

function openSentences(
  { openModel = openSentenceModel }: OpenSearchOptions,
  report: (error: Error) => void,
): Sentences | undefined {
  try {
    const model = openModel()
    const failed = (error: Error): void =>
      report(new Error(`Search by the meaning of sentences is off, its model failed: ${error.message}`))
    return { model, queue: createEmbeddingQueue(model, failed) }
  } catch (error) {
    report(error instanceof Error ? error : new Error(String(error)))
    return undefined
  }
}

/** The model's thread does not keep the process alive; a caller that waits for it does. */
async function whileAlive(work: Promise<void>): Promise<void> {
  const alive = setInterval(() => {}, 60_000)
  try {
    await work
  } finally {
    clearInterval(alive)
  }
}
