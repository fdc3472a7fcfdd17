import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Catalog } from '../catalog/catalog.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { analyseTool } from './analyse-tool.js'
import type { AnalysisCache } from './analysis-cache.js'
import type { WordVectors } from './meaning/load-word-vectors.js'
import { packVector, unpackVector } from './meaning/pack-vector.js'
import type { EmbeddingQueue } from './meaning/embedding-queue.js'
import { toolSentence } from './meaning/tool-sentence.js'
import { createVectorIndex, type VectorIndex } from './meaning/vector-index.js'
import { createTermList, type TermList } from './nearest-terms.js'
import type { Visible } from './score-parts.js'
import { createTermIndex, type TermIndex } from './term-index.js'
import type { SearchCounts, SearchView } from './tool-search.js'
import { weighTerms } from './weigh-terms.js'

/** The index of a catalog's tools, by ordinal; it follows the catalog. */
export interface ToolIndex {
  readonly terms: TermIndex
  /** Absent where there are no word vectors. */
  readonly meanings: VectorIndex | undefined
  /** Absent where there is no sentence model. */
  readonly sentences: VectorIndex | undefined
  readonly counts: SearchCounts
  /** Indexes the changes of the catalog since the last call. Rejects once it is closed. */
  settle(): Promise<void>
  at(ordinal: number): CatalogTool | undefined
  /** Which ordinals a caller may find. */
  visibleTo(view: SearchView): Visible
  spelling(): TermList
  /** Nothing is indexed after that. */
  close(): void
}

/** How long tools are indexed at a stretch before the process yields. */
const STRETCH_MS = 8
/** Up to this many empty slots are not compacted. */
const FEW = 256

export interface ToolIndexParts {
  catalog: Catalog
  vectors?: WordVectors | undefined
  cache?: AnalysisCache | undefined
  sentences?: { queue: EmbeddingQueue; dimensions: number } | undefined
}

export function createToolIndex({
  catalog,
  vectors,
  cache,
  sentences: embedding,
}: ToolIndexParts): ToolIndex {
  const terms = createTermIndex()
  const sentences = embedding && createVectorIndex(embedding.dimensions)
  const counts = { analysed: 0, restored: 0, embedded: 0 }
  const meanings = vectors && createVectorIndex(vectors.dimensions)
  const tools: (CatalogTool | undefined)[] = []
  const ordinals = new Map<string, number>()
  /** Pending changes: the tool, or undefined where it was removed. */
  const changes = new Map<string, CatalogTool | undefined>()
  let revision = 0
  let settling: Promise<void> | undefined
  let spelling: { revision: number; list: TermList } | undefined
  let isClosed = false
  const views = new WeakMap<object, { revision: number; catalogRevision: number; visible: Visible }>()

  function put(tool: CatalogTool): void {
    const kept = cache?.take(tool)
    const analysis = kept?.analysis ?? analyseTool(tool, vectors)
    // Nothing below can fail: a tool that cannot be analysed has left no trace.
    const ordinal = tools.length
    tools.push(tool)
    ordinals.set(tool.toolId, ordinal)
    terms.add(ordinal, analysis.terms)
    if (analysis.meaning) meanings?.set(ordinal, unpackVector(analysis.meaning))
    if (kept) counts.restored++
    else {
      counts.analysed++
      cache?.keepAnalysis(tool, analysis)
    }
    if (kept?.sentence) sentences?.set(ordinal, unpackVector(kept.sentence))
    else if (embedding) askForSentence(tool, embedding.queue)
  }

  function askForSentence(tool: CatalogTool, queue: EmbeddingQueue): void {
    const sentence = toolSentence(tool)
    if (sentence === '') return
    queue.askLater(tool.toolId, sentence, (vector) => {
      const ordinal = ordinals.get(tool.toolId)
      // The tool may have been removed or changed while the model worked.
      if (isClosed || ordinal === undefined || tools[ordinal]?.fingerprint !== tool.fingerprint) return
      const packed = packVector(vector)
      counts.embedded++
      sentences!.set(ordinal, unpackVector(packed))
      cache?.keepSentence(tool, packed)
    })
  }

  function take(toolId: string): void {
    const ordinal = ordinals.get(toolId)
    const tool = ordinal === undefined ? undefined : tools[ordinal]
    if (ordinal === undefined || !tool) return
    terms.remove(ordinal, weighTerms(tool, vectors?.rankOf))
    tools[ordinal] = undefined
    ordinals.delete(toolId)
    embedding?.queue.forget(toolId)
  }

  function exchange(toolId: string, tool: CatalogTool | undefined): void {
    const ordinal = ordinals.get(toolId)
    if (tool && ordinal !== undefined && tools[ordinal]?.fingerprint === tool.fingerprint) {
      tools[ordinal] = tool
      return
    }
    take(toolId)
    if (tool) put(tool)
    else cache?.release(toolId)
    if (tools.length > FEW && ordinals.size * 2 < tools.length) closeGaps()
  }

  /** Removes empty slots: sources that come and go would make the lists grow without limit. */
  function closeGaps(): void {
    const next = new Int32Array(tools.length).fill(-1)
    let count = 0
    tools.forEach((tool, ordinal) => {
      if (tool) next[ordinal] = count++
    })
    const moves = [meanings?.renumber(next), sentences?.renumber(next)]
    // Everything that may fail is done: from here on all indexes are renumbered.
    for (const move of moves) move?.()
    terms.renumber(next)
    tools.forEach((tool, ordinal) => {
      if (!tool) return
      tools[next[ordinal]!] = tool
      ordinals.set(tool.toolId, next[ordinal]!)
    })
    tools.length = count
  }

  async function takeIn(): Promise<void> {
    let since = performance.now()
    for (const [toolId, tool] of changes) {
      changes.delete(toolId)
      try {
        exchange(toolId, tool)
      } catch {
        // A tool whose texts cannot be read is not found; all others are.
      }
      revision++
      if (performance.now() - since < STRETCH_MS) continue
      await nextTurn()
      since = performance.now()
    }
  }

  function lookAround(view: SearchView): Visible {
    const marks = new Uint8Array(tools.length)
    let count = 0
    tools.forEach((tool, ordinal) => {
      const present = tool && catalog.get(tool.toolId)
      // The tool may have changed since it was indexed: its old texts must not find the new tool.
      if (!present || (present !== tool && present.fingerprint !== tool.fingerprint)) return
      if (!view.mayFind(present)) return
      marks[ordinal] = 1
      count++
    })
    return { marks, tools: count, isAll: count === terms.tools }
  }

  for (const tool of catalog.list()) changes.set(tool.toolId, tool)
  const stop = catalog.onChange(({ added, removed }) => {
    for (const { toolId } of removed) changes.set(toolId, undefined)
    for (const tool of added) changes.set(tool.toolId, tool)
  })

  return {
    terms,
    meanings,
    sentences,
    counts,
    async settle() {
      while (changes.size > 0) {
        settling ??= takeIn().finally(() => (settling = undefined))
        await settling
      }
      if (isClosed) throw searchIsClosed()
    },
    // A source that lists its tools again creates new objects, also for unchanged ones.
    at: (ordinal) => tools[ordinal] && catalog.get(tools[ordinal].toolId),
    visibleTo(view) {
      const known = views.get(view.key)
      const catalogRevision = catalog.revision
      if (known?.revision === revision && known.catalogRevision === catalogRevision) return known.visible
      const visible = lookAround(view)
      views.set(view.key, { revision, catalogRevision, visible })
      return visible
    },
    spelling() {
      if (spelling?.revision !== revision)
        spelling = { revision, list: createTermList(terms.postings.keys()) }
      return spelling.list
    },
    close() {
      isClosed = true
      stop()
      changes.clear()
    },
  }
}

export function searchIsClosed(): Error {
  return new Error('This tool search is closed; make another one to search on.')
}
