import type { CatalogTool } from '../catalog/catalog-tool.js'
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
import { atMost } from './at-most.js'
import type { KeptAnalyses } from './kept-analyses.js'
import type { PackedVector } from './meaning/pack-vector.js'
import type { SentenceModel } from './meaning/sentence-model.js'
import { toolFields } from './tool-fields.js'

/** Hands out what was kept of tools, and keeps what is new, behind everything else. */
export interface AnalysisKeeper {
  /** What was kept of this very tool; it is handed out once. */
  take(tool: CatalogTool): { analysis: Analysis; sentence: PackedVector | undefined } | undefined
  keepAnalysis(tool: CatalogTool, analysis: Analysis): void
  keepSentence(tool: CatalogTool, sentence: PackedVector): void
  /** The tool is no longer there. What is kept of it ages from now on: its source may be away for a moment only. */
  letGo(toolId: string): void
  /** Writes what is not written yet, and nothing after that. */
  close(): Promise<void>
}

export interface AnalysisKeeperParts {
  kept: KeptAnalyses
  /** What was made of something else is thrown away. */
  stamp: string
  /** Of the word vectors; absent where there are none. */
  dimensions: number | undefined
  model: Pick<SentenceModel, 'id' | 'dimensions'> | undefined
  now?: () => number
  /** How long the store may take to read all groups, or to read and write one. */
  patienceMs?: number
}

/** Written when it has been quiet for so long, */
const QUIET_MS = 2_000
/** or after so long in any case. */
const MOST_MS = 30_000
const DAY_MS = 86_400_000
/** What nobody has asked for in so long goes with the next write of its group. A source may be away for a while. */
const MAX_UNSEEN_DAYS = 30
/** A tool that is in use is noted as seen once in so many days: more often would be writes that say nothing new. */
const NOTED_EVERY_DAYS = 7
/** A store that does not answer must not keep anybody from searching, or from closing. */
const PATIENCE_MS = 5_000

/** With neither an analysis nor a sentence: that the tool was seen. */
interface AnalysisChanges {
  tool: CatalogTool
  analysis?: Analysis
  sentence?: PackedVector
}

export async function openAnalysisKeeper(parts: AnalysisKeeperParts): Promise<AnalysisKeeper> {
  const { kept, stamp, dimensions, model, now = Date.now, patienceMs = PATIENCE_MS } = parts
  /** A store that once did not answer in time is left alone: every further try would take as long. */
  let isStuck = false
  async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
    const done = await atMost(
      work.then((value) => ({ value })),
      patienceMs,
    )
    isStuck ||= !done
    return done?.value
  }
  // What cannot be read is worked out again.
  const groups = await inTime(kept.readAll()).catch(() => undefined)
  const known = knownIn(groups?.values() ?? [], parts)
  const news = new Map<string, AnalysisChanges>()
  /** Fingerprints of the tools that are there, by their id. */
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
    // What is lost with the process is worked out again.
    timer.unref()
  }

  function newsOf(tool: CatalogTool): AnalysisChanges {
    const waiting = news.get(tool.toolId)
    if (waiting?.tool.fingerprint === tool.fingerprint) return waiting
    const fresh: AnalysisChanges = { tool }
    news.set(tool.toolId, fresh)
    return fresh
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = firstAt = undefined
    const groups = new Map<string, Map<string, AnalysisChanges>>()
    for (const [toolId, item] of news) {
      const id = groupOf(toolId)
      if (!groups.has(id)) groups.set(id, new Map())
      groups.get(id)!.set(toolId, item)
    }
    news.clear()
    return (writing = writing.then(async () => {
      for (const [id, items] of groups) {
        if (isStuck) return
        // A store that fails now costs the next start some time, and nothing else.
        await inTime(writeGroup(id, items)).catch(() => {})
      }
    }))
  }

  /** Read first: the tools of a group may be those of several processes. */
  async function writeGroup(id: string, items: ReadonlyMap<string, AnalysisChanges>): Promise<void> {
    const before = parseGroup(await kept.read(id), stamp)
    // It came too late: nobody waits any more.
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
    const said = analysis ? toKeptAnalysis(analysis) : isSame ? before : undefined
    const spoken = sentence ? toText(sentence) : isSame ? before.sentence : undefined
    // Another process may have written another tool of that name since.
    if (!said) return before
    const { terms, weights, meaning } = said
    return {
      fingerprint: tool.fingerprint,
      seenOn: today(),
      terms,
      weights,
      ...(meaning !== undefined && { meaning }),
      ...(spoken !== undefined && { sentence: spoken }),
    }
  }

  /** Where the tool is to be written again. */
  function note(tool: CatalogTool, what: Omit<AnalysisChanges, 'tool'>): void {
    if (isClosed) return
    present.set(tool.toolId, tool.fingerprint)
    Object.assign(newsOf(tool), what)
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
    letGo(toolId) {
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
  { stamp, model }: Pick<AnalysisKeeperParts, 'stamp' | 'model'>,
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
