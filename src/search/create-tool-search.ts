import type { Catalog } from '../catalog/catalog.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { createQueryEvidence, type StemsByField } from './confidence.js'
import { embedTexts } from './meaning/embed-text.js'
import type { WordVectors } from './meaning/load-word-vectors.js'
import type { SentenceModel } from './meaning/sentence-model.js'
import type { KeptAnalyses } from './kept-analyses.js'
import { openSearch, type OpenedSearch } from './open-search.js'
import { orderHits, type Candidate } from './order-hits.js'
import { parseQuery, type ParsedQuery } from './parse-query.js'
import { rankTools, type Nearness } from './rank-tools.js'
import { isSeen, rarityOf, rarityOfNone } from './score-parts.js'
import type { Postings } from './term-index.js'
import { describeMatch } from './describe-match.js'
import { MAX_FIELD_CHARS, toolFields, type FieldName, type ToolFields } from './tool-fields.js'
import { searchIsClosed, type ToolIndex } from './tool-index.js'
import { toStems } from './words/to-stems.js'
import type {
  SearchAnswer,
  SearchCounts,
  SearchHit,
  SearchParts,
  SearchRequest,
  ToolSearch,
  SearchView,
} from './tool-search.js'

const DEFAULT_LIMIT = 5
const MAX_NEAR = 3
const MAX_LOOKED_UP = 16
/** How many candidates are ranked before the final order. */
const CANDIDATES = 30
/** A tool that does just what was asked comes before one that does more. */
const ASKED_SHARE = 0.3
/** How many of the first hits count for the confidence. */
const TOP_HITS = 3
/** If even the best score is below this, the hits are only offered as near misses. */
const MIN_SCORE = 0.18

const ALL_PARTS: SearchParts = { related: true, spelling: true, steps: true, meaning: true, sentences: false }

const NO_COUNTS: SearchCounts = { analysed: 0, restored: 0, embedded: 0 }

export interface ToolSearchOptions {
  catalog: Catalog
  parts?: Partial<SearchParts> | undefined
  /** Where analyses are stored between runs; absent: nowhere. */
  kept?: KeptAnalyses | undefined
  /** Opens the sentence model; by default the separately installed one. */
  openModel?: (() => SentenceModel) | undefined
  /** Called once with the reason why sentences are not used though they were requested. */
  warn?: ((message: string) => void) | undefined
}

/** Searches the tools of a catalog. The index is built by the first search. */
export function createToolSearch({ catalog, parts: given, ...rest }: ToolSearchOptions): ToolSearch {
  const parts = { ...ALL_PARTS, ...given }
  let opening: Promise<OpenedSearch> | undefined
  let opened: OpenedSearch | undefined
  let isClosed = false

  const open = (): Promise<OpenedSearch> =>
    (opening ??= openSearch({ catalog, parts, ...rest }).then((done) => (opened = done)))

  async function search(query: string, request: SearchRequest): Promise<SearchAnswer> {
    if (isClosed) throw searchIsClosed()
    const parsed = parseQuery(query, parts)
    if (parsed.type === 'select') {
      const { hits, missingNames } = selectTools(catalog, parsed.names, request.view)
      const near = missingNames.length === 0 ? [] : await nearTo(missingNames, request)
      return { queryType: 'select', hits, nearMisses: near, missingNames }
    }
    const found = await findByWords(parsed, request)
    const isSure = (found[0]?.score ?? 0) >= MIN_SCORE
    return {
      queryType: 'keyword',
      hits: isSure ? found : [],
      nearMisses: isSure ? [] : found,
      missingNames: [],
    }
  }

  async function findByWords(
    parsed: KeywordQuery,
    { view, limit = DEFAULT_LIMIT }: SearchRequest,
  ): Promise<SearchHit[]> {
    const { index, vectors, sentences } = await open()
    await index.settle()
    const bySentence = await sentences?.nearnessTo(textsOf(parsed), index.sentences!)
    // No await from here on: ordinals must not change.
    const visible = index.visibleTo(view)
    // A word that only hidden tools have counts as unknown.
    const placesOf = (term: string): Postings | undefined => {
      const places = index.terms.postings.get(term)
      return places && isSeen(places, visible) ? places : undefined
    }
    let looked = 0
    const { ranked, concepts } = rankTools(parsed, {
      lexicon: {
        placesOf,
        spelling: () => ({
          // Limits the look-ups for a text in which every word is misspelled.
          nearest: (word) =>
            looked++ < MAX_LOOKED_UP
              ? index.spelling().nearest(word, (term) => placesOf(term) !== undefined)
              : [],
        }),
        rankOf: vectors?.rankOf,
        parts,
      },
      visible,
      nearness: [vectors && nearnessBy(index, vectors), bySentence].filter((by) => by !== undefined),
      keep: Math.max(CANDIDATES, limit),
    })
    const evidence = createQueryEvidence(concepts, {
      rarityOf(term) {
        const places = placesOf(term)
        return places ? rarityOf(places, visible) : 0
      },
      rarityOfNone: rarityOfNone(visible.tools),
    })
    const candidates = ranked.flatMap((each): Candidate[] => {
      const tool = index.at(each.ordinal)
      // The catalog may have changed since: the current tool at that id is judged again.
      if (!tool || !view.mayFind(tool)) return []
      const asked = evidence.askedShare(new Set(toStems(tool.draft.description.slice(0, MAX_FIELD_CHARS))))
      return [{ ...each, tool, value: each.value * (1 + ASKED_SHARE * asked) }]
    })
    const usageOf = view.usageOf && ((toolId: string) => view.usageOf!(toolId))
    const ordered = orderHits(candidates, { usageOf, limit: Math.max(limit, TOP_HITS) })
    const textsByTool = new Map(ordered.map(({ tool }) => [tool, readTool(tool)]))
    // The most certain of the first hits sets the confidence of the answer; the hits keep their ranking.
    const top = ordered.slice(0, TOP_HITS)
    const sureness = Math.max(
      0,
      ...top.map((each) => evidence.confidence(textsByTool.get(each.tool)!.stems, each.nearness)),
    )
    const best = Math.max(0, ...ordered.map(({ value }) => value))
    let score = sureness
    return ordered.slice(0, limit).map(({ tool, value }) => {
      // A hit that was moved up by its use or its source must not get a lower score than the next.
      score = Math.min(score, best === 0 ? 0 : (sureness * value) / best)
      const { texts, stems } = textsByTool.get(tool)!
      return { tool, score, reason: describeMatch(texts, { stems, concepts }) }
    })
  }

  /** Searches for unknown names as words. */
  async function nearTo(names: readonly string[], { view }: SearchRequest): Promise<SearchHit[]> {
    const words = parseQuery(names.join(' ').replace(/select:|\+/g, ' '), parts)
    return words.type === 'keyword' ? findByWords(words, { view, limit: MAX_NEAR }) : []
  }

  return {
    search,
    ready: async () => (await open()).ready(),
    counts: () => opened?.index.counts ?? NO_COUNTS,
    async close() {
      isClosed = true
      await (await opening)?.close()
    },
  }
}

type KeywordQuery = Extract<ParsedQuery, { type: 'keyword' }>

/** Every text whose nearness the ranking may need. */
function textsOf({ parts }: KeywordQuery): string[] {
  const texts = parts.map(({ text }) => text)
  return [...texts, texts.join(' ')]
}

/** A tool's texts and their stems, computed once per hit. */
function readTool(tool: CatalogTool): { texts: ToolFields; stems: StemsByField } {
  const texts = toolFields(tool)
  const fields = Object.entries(texts) as [FieldName, string][]
  return { texts, stems: new Map(fields.map(([field, text]) => [field, new Set(toStems(text))])) }
}

function nearnessBy({ meanings }: ToolIndex, vectors: WordVectors): Nearness {
  return (text, among) => {
    const meaning = embedTexts([[text, 1]], vectors)
    return meaning && meanings?.nearness(meaning, among)
  }
}

/** Further names count as missing. */
const MAX_NAMES = 100

/** The tools with exactly these names. A tool that may not be found counts as missing, like one that does not exist. */
function selectTools(
  catalog: Catalog,
  names: readonly string[],
  view: SearchView,
): Pick<SearchAnswer, 'hits' | 'missingNames'> {
  const found = new Map<string, { tool: CatalogTool; name: string }>()
  const missingNames: string[] = []
  for (const name of names.slice(0, MAX_NAMES)) {
    const tools = resolveAll(catalog, name, view)
    if (tools.length === 0) missingNames.push(name)
    for (const tool of tools) if (!found.has(tool.toolId)) found.set(tool.toolId, { tool, name })
  }
  missingNames.push(...names.slice(MAX_NAMES))
  const hits = [...found.values()].map(({ tool, name }) => ({ tool, score: 1, reason: `named "${name}"` }))
  return { hits, missingNames }
}

function resolveAll(catalog: Catalog, name: string, view: SearchView): CatalogTool[] {
  const mayFind = (tool: CatalogTool): boolean => view.mayFind(tool)
  const resolved = catalog.resolve(name, mayFind)
  if (resolved && 'found' in resolved) return mayFind(resolved.found) ? [resolved.found] : []
  return resolved && 'ambiguous' in resolved ? resolved.ambiguous.filter(mayFind) : []
}
