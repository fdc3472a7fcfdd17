import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Catalog } from '../catalog/catalog.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { analyseTool } from './analyse-tool.js'
import type { AnalysisKeeper } from './analysis-keeper.js'
import type { WordVectors } from './meaning/load-word-vectors.js'
import { packVector, unpackVector } from './meaning/pack-vector.js'
import type { SentenceLine } from './meaning/sentence-line.js'
import { toolSentence } from './meaning/tool-sentence.js'
import { createVectorIndex, type VectorIndex } from './meaning/vector-index.js'
import { createTermList, type TermList } from './nearest-terms.js'
import type { Visible } from './score-parts.js'
import { createTermIndex, type TermIndex } from './term-index.js'
import type { SearchCounts, SearchView } from './tool-search.js'
import { weighTerms } from './weigh-terms.js'

/** The tools of a catalog in the order of the index, which follows the catalog. */
export interface ToolShelf {
  readonly index: TermIndex
  /** Absent where there are no word vectors. */
  readonly meanings: VectorIndex | undefined
  /** Absent where there is no model of sentences. */
  readonly sentences: VectorIndex | undefined
  readonly counts: SearchCounts
  /** Takes in what changed in the catalog since. Rejects once it is closed. */
  settle(): Promise<void>
  at(ordinal: number): CatalogTool | undefined
  /** Which ordinals a caller may find. */
  visibleTo(view: SearchView): Visible
  spelling(): TermList
  /** Nothing is taken in from then on. */
  close(): void
}

/** How long tools are taken in at a stretch before others have their turn. */
const STRETCH_MS = 8
/** So many empty places are no burden. */
const FEW = 256

export interface ToolShelfParts {
  catalog: Catalog
  vectors?: WordVectors | undefined
  keeper?: AnalysisKeeper | undefined
  sentences?: { line: SentenceLine; dimensions: number } | undefined
}

export function createToolShelf({ catalog, vectors, keeper, sentences: spoken }: ToolShelfParts): ToolShelf {
  const index = createTermIndex()
  const sentences = spoken && createVectorIndex(spoken.dimensions)
  const counts = { analysed: 0, restored: 0, embedded: 0 }
  const meanings = vectors && createVectorIndex(vectors.dimensions)
  const tools: (CatalogTool | undefined)[] = []
  const ordinals = new Map<string, number>()
  /** What to take in: the tool, or nothing where it is gone. */
  const changes = new Map<string, CatalogTool | undefined>()
  let revision = 0
  let settling: Promise<void> | undefined
  let spelling: { revision: number; list: TermList } | undefined
  let isClosed = false
  const views = new WeakMap<object, { revision: number; catalogRevision: number; visible: Visible }>()

  function put(tool: CatalogTool): void {
    const kept = keeper?.take(tool)
    const analysis = kept?.analysis ?? analyseTool(tool, vectors)
    // From here on nothing fails: a tool that cannot be analysed has left nothing behind.
    const ordinal = tools.length
    tools.push(tool)
    ordinals.set(tool.toolId, ordinal)
    index.add(ordinal, analysis.terms)
    if (analysis.meaning) meanings?.set(ordinal, unpackVector(analysis.meaning))
    if (kept) counts.restored++
    else {
      counts.analysed++
      keeper?.keepAnalysis(tool, analysis)
    }
    if (kept?.sentence) sentences?.set(ordinal, unpackVector(kept.sentence))
    else if (spoken) askForSentence(tool, spoken.line)
  }

  function askForSentence(tool: CatalogTool, line: SentenceLine): void {
    const sentence = toolSentence(tool)
    if (sentence === '') return
    line.askLater(tool.toolId, sentence, (vector) => {
      const ordinal = ordinals.get(tool.toolId)
      // It may be gone, or say something else, by the time that the model has read it.
      if (isClosed || ordinal === undefined || tools[ordinal]?.fingerprint !== tool.fingerprint) return
      const packed = packVector(vector)
      counts.embedded++
      sentences!.set(ordinal, unpackVector(packed))
      keeper?.keepSentence(tool, packed)
    })
  }

  function take(toolId: string): void {
    const ordinal = ordinals.get(toolId)
    const tool = ordinal === undefined ? undefined : tools[ordinal]
    if (ordinal === undefined || !tool) return
    index.remove(ordinal, weighTerms(tool, vectors?.rankOf))
    tools[ordinal] = undefined
    ordinals.delete(toolId)
    spoken?.line.forget(toolId)
  }

  function exchange(toolId: string, tool: CatalogTool | undefined): void {
    const ordinal = ordinals.get(toolId)
    if (tool && ordinal !== undefined && tools[ordinal]?.fingerprint === tool.fingerprint) {
      tools[ordinal] = tool
      return
    }
    take(toolId)
    if (tool) put(tool)
    else keeper?.letGo(toolId)
    if (tools.length > FEW && ordinals.size * 2 < tools.length) closeGaps()
  }

  /** Sources that come and go would make the lists grow without end. */
  function closeGaps(): void {
    const next = new Int32Array(tools.length).fill(-1)
    let count = 0
    tools.forEach((tool, ordinal) => {
      if (tool) next[ordinal] = count++
    })
    const moves = [meanings?.renumber(next), sentences?.renumber(next)]
    // All that may fail is done: from here on either everything moves or nothing does.
    for (const move of moves) move?.()
    index.renumber(next)
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
        // One tool that says nothing readable of itself is not found; all others are.
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
      // It may have changed since it was taken in: what it said before finds nothing that it is now.
      if (!present || (present !== tool && present.fingerprint !== tool.fingerprint)) return
      if (!view.mayFind(present)) return
      marks[ordinal] = 1
      count++
    })
    return { marks, tools: count, isAll: count === index.tools }
  }

  for (const tool of catalog.list()) changes.set(tool.toolId, tool)
  const stop = catalog.onChange(({ added, removed }) => {
    for (const { toolId } of removed) changes.set(toolId, undefined)
    for (const tool of added) changes.set(tool.toolId, tool)
  })

  return {
    index,
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
    // A source that lists its tools again makes new ones, also of those that say what they said before.
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
        spelling = { revision, list: createTermList(index.postings.keys()) }
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
