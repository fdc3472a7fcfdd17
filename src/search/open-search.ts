import type { Catalog } from '../catalog/catalog.js'
import { analysisStamp } from './analyse-tool.js'
import { openAnalysisKeeper } from './analysis-keeper.js'
import type { KeptAnalyses } from './kept-analyses.js'
import { loadWordVectors, type WordVectors } from './meaning/load-word-vectors.js'
import { createSentenceLine, type SentenceLine } from './meaning/sentence-line.js'
import { openSentenceModel, type SentenceModel } from './meaning/sentence-model.js'
import { createSentenceSearch, type SentenceSearch } from './meaning/sentence-search.js'
import type { SearchParts } from './tool-search.js'
import { createToolShelf, searchIsClosed, type ToolShelf } from './tool-shelf.js'

export interface OpenSearchOptions {
  catalog: Catalog
  parts: SearchParts
  kept?: KeptAnalyses | undefined
  openModel?: (() => SentenceModel) | undefined
  loadVectors?: (() => Promise<WordVectors>) | undefined
  /** Told once what takes no part in the search though it should; the process is warned, unless said otherwise. */
  warn?: ((message: string) => void) | undefined
  /** How long `kept` may take to answer. */
  patienceMs?: number
}

/** What a search goes by, once it is open. */
export interface OpenedSearch {
  readonly shelf: ToolShelf
  readonly vectors: WordVectors | undefined
  readonly sentences: SentenceSearch | undefined
  ready(): Promise<void>
  close(): Promise<void>
}

interface Sentences {
  model: SentenceModel
  line: SentenceLine
}

export async function openSearch(options: OpenSearchOptions): Promise<OpenedSearch> {
  const { catalog, parts, kept, loadVectors = loadWordVectors, warn = warnOnce } = options
  // Words alone decide then.
  const withoutThem = (error: unknown): undefined => {
    const why = error instanceof Error ? error.message : String(error)
    warn(`Search by meaning is off, its word vectors cannot be read: ${why}`)
    return undefined
  }
  const vectors = parts.meaning ? await loadVectors().catch(withoutThem) : undefined
  let isClosed = false
  let problem: Error | undefined
  const tell = (error: Error): void => {
    if (problem || isClosed) return
    problem = error
    warn(error.message)
  }
  const spoken = parts.sentences ? openSentences(options, tell) : undefined
  const keeper =
    kept &&
    (await openAnalysisKeeper({
      kept,
      stamp: analysisStamp(vectors),
      dimensions: vectors?.dimensions,
      model: spoken?.model,
      ...(options.patienceMs !== undefined && { patienceMs: options.patienceMs }),
    }))
  const shelf = createToolShelf({
    catalog,
    vectors,
    keeper,
    sentences: spoken && { line: spoken.line, dimensions: spoken.model.dimensions },
  })
  return {
    shelf,
    vectors,
    sentences: spoken && createSentenceSearch(spoken.line),
    async ready() {
      await shelf.settle()
      if (spoken) await whileAlive(spoken.line.idle())
      if (isClosed) throw searchIsClosed()
      if (problem) throw problem
    },
    async close() {
      isClosed = true
      shelf.close()
      spoken?.line.close()
      await spoken?.model.close()
      await keeper?.close()
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
  tell: (error: Error) => void,
): Sentences | undefined {
  try {
    const model = openModel()
    const failed = (error: Error): void =>
      tell(new Error(`Search by the meaning of sentences is off, its model failed: ${error.message}`))
    return { model, line: createSentenceLine(model, failed) }
  } catch (error) {
    tell(error instanceof Error ? error : new Error(String(error)))
    return undefined
  }
}

/** The thread of the model keeps no process alive; who waits for it does. */
async function whileAlive(work: Promise<void>): Promise<void> {
  const alive = setInterval(() => {}, 60_000)
  try {
    await work
  } finally {
    clearInterval(alive)
  }
}
