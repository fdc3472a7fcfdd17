import type { SearchQueryType } from '../contract/unions.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'

/** What one caller may find. No other tool is searched, counted or hinted at. */
export interface SearchView {
  /** The same object for as long as the same tools may be found: data derived from it is cached. */
  readonly key: object
  mayFind(tool: CatalogTool): boolean
  /** How well this caller knows a tool, from 0 to 1, by how often and how recently it was used. */
  usageOf?(toolId: string): number
}

/** The parts of a search. All are on by default; they can be switched off to measure their effect. */
export interface SearchParts {
  /** Synonyms. */
  related: boolean
  /** Misspelt words. */
  spelling: boolean
  /** A task of several steps is searched step by step. */
  steps: boolean
  /** Meaning, by the word vectors in the package. */
  meaning: boolean
  /** Meaning of whole sentences, by a separately installed model. */
  sentences: boolean
}

export interface SearchRequest {
  view: SearchView
  /** The maximum number of hits. */
  limit?: number
}

export interface SearchHit {
  tool: CatalogTool
  /** The confidence of the search, from 0 to 1: for the best by its evidence, for the others in proportion. */
  score: number
  /** A short text: which words of the query were found where. */
  reason: string
}

export interface SearchAnswer {
  queryType: SearchQueryType
  /** Best first. None: nothing matches. */
  hits: readonly SearchHit[]
  /** The nearest tools, where the confidence is too low for any hit. */
  nearMisses: readonly SearchHit[]
  /** Exactly requested names that no findable tool has. */
  missingNames: readonly string[]
}

/** How the tools got into the index, counted since it was built. */
export interface SearchCounts {
  /** Analysed in this process. */
  readonly analysed: number
  /** Restored from stored analyses. */
  readonly restored: number
  /** Sentences embedded by the model in this process. */
  readonly embedded: number
}

/** Finds tools of one catalog, and follows its changes. */
export interface ToolSearch {
  search(query: string, request: SearchRequest): Promise<SearchAnswer>
  /**
   * Resolves when all tools of the catalog are indexed and, where sentences are used, embedded by the model. Rejects
   * where sentences were requested and there is no model; searches then work without it.
   */
  ready(): Promise<void>
  counts(): SearchCounts
  /** Resolves when pending analyses are written. */
  close(): Promise<void>
}
