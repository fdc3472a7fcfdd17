import type { SearchQueryType } from '../contract/unions.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'

/** What one caller may find. Nothing else is searched, counted or hinted at. */
export interface SearchView {
  /** The same object for as long as the same tools may be found: what follows from it is worked out once. */
  readonly key: object
  mayFind(tool: CatalogTool): boolean
  /** How well this caller knows a tool, from 0 to 1, by how often and how lately it was used. */
  familiarityOf?(toolId: string): number
}

/** What takes part in a search. All of it does, unless switched off to see what it is worth. */
export interface SearchParts {
  /** Other words for the same. */
  related: boolean
  /** Misspelt words. */
  spelling: boolean
  /** A task of several steps is looked at step by step. */
  steps: boolean
  /** Meaning, by the word vectors that come with the package. */
  meaning: boolean
  /** Meaning of whole sentences, by a model that is installed apart. */
  sentences: boolean
}

export interface SearchRequest {
  view: SearchView
  /** How many hits at most. */
  limit?: number
}

export interface SearchHit {
  tool: CatalogTool
  /** How sure the search is, from 0 to 1: of the best by what speaks for it, of the others in proportion. */
  score: number
  /** A few words: what of the query was found where. */
  reason: string
}

export interface SearchAnswer {
  queryType: SearchQueryType
  /** Best first. None: nothing matches. */
  hits: readonly SearchHit[]
  /** What came nearest where the search is not sure of any. */
  nearMisses: readonly SearchHit[]
  /** Names that were asked for exactly and that no findable tool has. */
  missingNames: readonly string[]
}

/** How the tools came into the index, counted since it was made. */
export interface SearchCounts {
  /** Their words were worked out here. */
  readonly analysed: number
  /** Their words were kept from before. */
  readonly restored: number
  /** Their sentences were read by the model here. */
  readonly embedded: number
}

/** Finds tools of one catalog. It follows the catalog by itself. */
export interface ToolSearch {
  search(query: string, request: SearchRequest): Promise<SearchAnswer>
  /**
   * Resolves when all tools of the catalog are taken in and, where sentences take part, read by the model. Rejects
   * where sentences were asked for and there is no model; searches then go on without it.
   */
  ready(): Promise<void>
  counts(): SearchCounts
  /** Ends when what is to be kept is written. */
  close(): Promise<void>
}
