import type { CatalogTool } from '../catalog/catalog-tool.js'
import { withTimeLimit } from '../platform/async/with-time-limit.js'
import type { Analysis } from './analyse-tool.js'
import {
  fromKeptAnalysis,
  fromText,
  groupOf,
  parseGroup,
  toKeptAnalysis,
  toText,
  type AnalysisGroup,
  type KeptTool,
} from './analysis-group.js'
import type { KeptAnalyses } from './kept-analyses.js'
import type { PackedVector } from './meaning/pack-vector.js'
import type { SentenceModel } from './meaning/sentence-model.js'
import { toolFields } from './tool-fields.js'

/** Reads stored analyses, and writes new ones in the background. */
export interface AnalysisCache {
  /** The stored analysis of this exact tool; returned once. */
  take(tool: CatalogTool): { analysis: Analysis; sentence: PackedVector | undefined } | undefined
  keepAnalysis(tool: CatalogTool, analysis: Analysis): void
  keepSentence(tool: CatalogTool, sentence: PackedVector): void
  /** The tool was removed. Its stored analysis ages from now on: its source may only be gone for a moment. */
  release(toolId: string): void
  /** Writes what is pending, and nothing after that. */
  close(): Promise<void>
}

export interface AnalysisCacheParts {
  kept: KeptAnalyses
  /** Analyses with another stamp are discarded. */
  stamp: string
  /** Dimensions of the word vectors; absent where there are none. */
  dimensions: number | undefined
  model: Pick<SentenceModel, 'id' | 'dimensions'> | undefined
  now?: () => number
  /** How long the store may take to read all groups, or to read and write one. */
  timeoutMs?: number
}

/** Changes are written after this much time without further ones, */
const QUIET_MS = 2_000
/** and after this much time in any case. */
const MOST_MS = 30_000
const DAY_MS = 86_400_000
/**
 * Analyses of tools that were not seen for this long are removed with the next write of their group. A source may be
 * gone for a while.
 */
const MAX_UNSEEN_DAYS = 30
/** How often the last-seen day of a used tool is written: more often would cost writes without information. */
const NOTED_EVERY_DAYS = 7
/** A store that does not answer must not block searching or closing. */
const TIMEOUT_MS = 5_000

/** Without an analysis and a sentence it only records that the tool was seen. */
interface AnalysisChanges {
  tool: CatalogTool
  analysis?: Analysis
  sentence?: PackedVector
}

export async function openAnalysisCache(parts: AnalysisCacheParts): Promise<AnalysisCache> {
  const { kept, stamp, dimensions, model, now = Date.now, timeoutMs = TIMEOUT_MS } = parts
  /** A store that timed out once is not used again: every further attempt would take as long. */
  let isStuck = false
  async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
    const done = await withTimeLimit(
      work.then((value) => ({ value })),
      timeoutMs,
    )
    isStuck ||= !done
    return done?.value
  }
  // What cannot be read is computed again.
  const groups = await inTime(kept.readAll()).catch(() => undefined)
  const known = knownIn(groups?.values() ?? [], parts)
  const pending = new Map<string, AnalysisChanges>()
  /** Fingerprints of the current tools, by id. */
  const present = new Map<string, string>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let firstAt: number | undefined
  let writing: Promise<void> = Promise.resolve()

  const today = (): number => Math.floor(now() / DAY_MS)

  function arm(): void {
    firstAt ??= performance.now()
    if (performance.now() - firstAt > MOST_MS - QUIET_MS && timer) return
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), QUIET_MS)
    // Changes that are lost with the process are computed again.
    timer.unref()
  }

  function pendingOf(tool: CatalogTool): AnalysisChanges {
    const waiting = pending.get(tool.toolId)
    if (waiting?.tool.fingerprint === tool.fingerprint) return waiting
    const fresh: AnalysisChanges = { tool }
    pending.set(tool.toolId, fresh)
    return fresh
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = firstAt = undefined
    const groups = new Map<string, Map<string, AnalysisChanges>>()
    for (const [toolId, item] of pending) {
      const id = groupOf(toolId)
      if (!groups.has(id)) groups.set(id, new Map())
      groups.get(id)!.set(toolId, item)
    }
    pending.clear()
    return (writing = writing.then(async () => {
      for (const [id, items] of groups) {
        if (isStuck) return
        // A failed write only costs time at the next start.
        await inTime(writeGroup(id, items)).catch(() => {})
      }
    }))
  }

  /** Read first: a group may hold tools of several processes. */
  async function writeGroup(id: string, items: ReadonlyMap<string, AnalysisChanges>): Promise<void> {
    const before = parseGroup(await kept.read(id), stamp)
    // The timeout is over: the result is not used.
    if (isStuck) return
    const group: AnalysisGroup = before ?? { stamp, tools: Object.create(null) as AnalysisGroup['tools'] }
    if (model && group.model !== model.id) {
      for (const tool of Object.values(group.tools)) delete tool.sentence
      group.model = model.id
    }
    for (const [toolId, item] of items) {
      const tool = merge(group.tools[toolId], item)
      if (tool) group.tools[toolId] = tool
      else delete group.tools[toolId]
    }
    for (const [toolId, tool] of Object.entries(group.tools)) {
      if (present.get(toolId) === tool.fingerprint) tool.seenOn = today()
      else if (today() - tool.seenOn > MAX_UNSEEN_DAYS) delete group.tools[toolId]
    }
    await kept.write(id, Object.keys(group.tools).length === 0 ? undefined : group)
  }

  function merge(
    before: KeptTool | undefined,
    { tool, analysis, sentence }: AnalysisChanges,
  ): KeptTool | undefined {
    if (!kept.mayKeep(Object.values(toolFields(tool)))) return undefined
    const isSame = before?.fingerprint === tool.fingerprint
    const stored = analysis ? toKeptAnalysis(analysis) : isSame ? before : undefined
    const packed = sentence ? toText(sentence) : isSame ? before.sentence : undefined
    // Another process may have written another tool with that id since.
    if (!stored) return before
    const { terms, weights, meaning } = stored
    return {
      fingerprint: tool.fingerprint,
      seenOn: today(),
      terms,
      weights,
      ...(meaning !== undefined && { meaning }),
      ...(packed !== undefined && { sentence: packed }),
    }
  }

  /** Marks the tool to be written again. */
  function note(tool: CatalogTool, what: Omit<AnalysisChanges, 'tool'>): void {
    if (isClosed) return
    present.set(tool.toolId, tool.fingerprint)
    Object.assign(pendingOf(tool), what)
    arm()
  }

  return {
    take(tool) {
      const found = known.get(tool.toolId)
      if (found?.fingerprint !== tool.fingerprint) return undefined
      known.delete(tool.toolId)
      const analysis = fromKeptAnalysis(found, dimensions)
      if (!analysis) return undefined
      present.set(tool.toolId, tool.fingerprint)
      if (today() - found.seenOn >= NOTED_EVERY_DAYS) note(tool, {})
      const { sentence } = found
      return { analysis, sentence: model && sentence ? fromText(sentence, model.dimensions) : undefined }
    },
    keepAnalysis: (tool, analysis) => note(tool, { analysis }),
    keepSentence: (tool, sentence) => note(tool, { sentence }),
    release(toolId) {
      known.delete(toolId)
      present.delete(toolId)
    },
    close() {
      isClosed = true
      return flush()
    },
  }
}

function knownIn(
  groups: Iterable<unknown>,
  { stamp, model }: Pick<AnalysisCacheParts, 'stamp' | 'model'>,
): Map<string, KeptTool> {
  const known = new Map<string, KeptTool>()
  for (const value of groups) {
    const group = parseGroup(value, stamp)
    if (!group) continue
    for (const [toolId, tool] of Object.entries(group.tools)) {
      if (group.model !== model?.id) delete tool.sentence
      known.set(toolId, tool)
    }
  }
  return known
}
