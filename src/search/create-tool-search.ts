import type { Catalog } from '../catalog/catalog.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { createWitness, type StemsByField } from './confidence.js'
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
import { sayReason } from './say-reason.js'
import { selectTools } from './select-tools.js'
import { MAX_FIELD_CHARS, toolFields, type FieldName, type ToolFields } from './tool-fields.js'
import { searchIsClosed, type ToolShelf } from './tool-shelf.js'
import { toStems } from './words/to-stems.js'
import type {
  SearchAnswer,
  SearchCounts,
  SearchHit,
  SearchParts,
  SearchRequest,
  ToolSearch,
} from './tool-search.js'

const DEFAULT_LIMIT = 5
const MAX_NEAR = 3
const MAX_LOOKED_UP = 16
/** How many are looked at before their order is settled. */
const CANDIDATES = 30
/** A tool that does just what was asked comes before one that does that and more. */
const ASKED_SHARE = 0.3
/** How many of the first are asked how sure they are. */
const HEARD = 3
/** Where even the best is below this, what was found is not offered as an answer. */
const MIN_SCORE = 0.18

const ALL_PARTS: SearchParts = { related: true, spelling: true, steps: true, meaning: true, sentences: false }

const NO_COUNTS: SearchCounts = { analysed: 0, restored: 0, embedded: 0 }

export interface ToolSearchOptions {
  catalog: Catalog
  parts?: Partial<SearchParts> | undefined
  /** Where analyses are kept between two starts; absent: nowhere. */
  kept?: KeptAnalyses | undefined
  /** Opens the model of sentences; the one that is installed apart, unless said otherwise. */
  openModel?: (() => SentenceModel) | undefined
  /** Told once why sentences, though asked for, take no part. */
  warn?: ((message: string) => void) | undefined
}

/** Searches among the tools of a catalog. The index is made with the first search. */
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
    const { shelf, vectors, sentences } = await open()
    await shelf.settle()
    const bySentence = await sentences?.nearnessTo(textsOf(parsed), shelf.sentences!)
    // From here on nothing waits: ordinals stay what they are.
    const visible = shelf.visibleTo(view)
    // A word that only hidden tools have is nobody's word.
    const placesOf = (term: string): Postings | undefined => {
      const places = shelf.index.postings.get(term)
      return places && isSeen(places, visible) ? places : undefined
    }
    let looked = 0
    const { ranked, concepts } = rankTools(parsed, {
      lexicon: {
        placesOf,
        spelling: () => ({
          // A text in which nothing is spelt right is not worth the time of everybody else.
          nearest: (word) =>
            looked++ < MAX_LOOKED_UP
              ? shelf.spelling().nearest(word, (term) => placesOf(term) !== undefined)
              : [],
        }),
        rankOf: vectors?.rankOf,
        parts,
      },
      visible,
      nearness: [vectors && nearnessBy(shelf, vectors), bySentence].filter((by) => by !== undefined),
      keep: Math.max(CANDIDATES, limit),
    })
    const witness = createWitness(concepts, {
      rarityOf(term) {
        const places = placesOf(term)
        return places ? rarityOf(places, visible) : 0
      },
      rarityOfNone: rarityOfNone(visible.tools),
    })
    const candidates = ranked.flatMap((each): Candidate[] => {
      const tool = shelf.at(each.ordinal)
      // The catalog may have changed since: a tool that took the place of another is judged by itself.
      if (!tool || !view.mayFind(tool)) return []
      const asked = witness.askedShare(new Set(toStems(tool.draft.description.slice(0, MAX_FIELD_CHARS))))
      return [{ ...each, tool, value: each.value * (1 + ASKED_SHARE * asked) }]
    })
    const familiarityOf = view.familiarityOf && ((toolId: string) => view.familiarityOf!(toolId))
    const ordered = orderHits(candidates, { familiarityOf, limit: Math.max(limit, HEARD) })
    const said = new Map(ordered.map(({ tool }) => [tool, readTool(tool)]))
    // The surest of the first says how far the answer is to be trusted; among themselves they stand as they are ranked.
    const heard = ordered.slice(0, HEARD)
    const sureness = Math.max(
      0,
      ...heard.map((each) => witness.confidence(said.get(each.tool)!.stems, each.nearness)),
    )
    const best = Math.max(0, ...ordered.map(({ value }) => value))
    let score = sureness
    return ordered.slice(0, limit).map(({ tool, value }) => {
      // What was put before another by its use or its source is not to look worse for it.
      score = Math.min(score, best === 0 ? 0 : (sureness * value) / best)
      const { texts, stems } = said.get(tool)!
      return { tool, score, reason: sayReason(texts, { stems, concepts }) }
    })
  }

  /** Names that nobody has, taken as words. */
  async function nearTo(names: readonly string[], { view }: SearchRequest): Promise<SearchHit[]> {
    const words = parseQuery(names.join(' ').replace(/select:|\+/g, ' '), parts)
    return words.type === 'keyword' ? findByWords(words, { view, limit: MAX_NEAR }) : []
  }

  return {
    search,
    ready: async () => (await open()).ready(),
    counts: () => opened?.shelf.counts ?? NO_COUNTS,
    async close() {
      isClosed = true
      await (await opening)?.close()
    },
  }
}

type KeywordQuery = Extract<ParsedQuery, { type: 'keyword' }>

/** Every text for which the ranking may ask how near it is. */
function textsOf({ parts }: KeywordQuery): string[] {
  const texts = parts.map(({ text }) => text)
  return [...texts, texts.join(' ')]
}

/** What a tool says of itself, and the stems of that: read once for all that is said of a hit. */
function readTool(tool: CatalogTool): { texts: ToolFields; stems: StemsByField } {
  const texts = toolFields(tool)
  const fields = Object.entries(texts) as [FieldName, string][]
  return { texts, stems: new Map(fields.map(([field, text]) => [field, new Set(toStems(text))])) }
}

function nearnessBy({ meanings }: ToolShelf, vectors: WordVectors): Nearness {
  return (text, among) => {
    const meaning = embedTexts([[text, 1]], vectors)
    return meaning && meanings?.nearness(meaning, among)
  }
}
