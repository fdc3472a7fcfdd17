import { createCatalog } from './catalog/catalog.js'
import type { ToolDraft } from './catalog/tool-draft.js'
import { createToolSearch } from './search/create-tool-search.js'
import type { SearchAnswer, SearchParts, SearchView } from './search/tool-search.js'
import { searchIsClosed } from './search/tool-index.js'

export type { SearchAnswer, SearchHit, SearchParts } from './search/tool-search.js'

export interface ListSearchOptions {
  /** The maximum number of hits. Default: 5. */
  limit?: number
  /** Ids of tools to exclude: the search neither finds nor counts them. */
  except?: readonly string[]
}

/** Searches a list of tools, without a crib. */
export interface ListSearch {
  search(query: string, options?: ListSearchOptions): Promise<SearchAnswer>
  /** Adds tools. `dispose` removes exactly these. */
  add(tools: Iterable<ToolDraft>): { dispose(): void }
  /** Resolves when all tools are indexed, including their sentences if those take part. */
  ready(): Promise<void>
  /** Closes the search; later calls of the other methods fail. */
  close(): Promise<void>
}

/** Search without a crib: for tools that are stored elsewhere, and for benchmarks. */
export function searchTools(
  tools: Iterable<ToolDraft>,
  { parts }: { parts?: Partial<SearchParts> } = {},
): ListSearch {
  const catalog = createCatalog()
  const search = createToolSearch({ catalog, parts })
  const everything = { key: catalog, mayFind: () => true }
  let isClosed = false
  const checkOpen = (): void => {
    if (isClosed) throw searchIsClosed()
  }
  const add: ListSearch['add'] = (more) => {
    checkOpen()
    const added = catalog.add('function', more)
    if (added.problems.length > 0) {
      added.dispose()
      throw new TypeError(added.problems.map(({ message }) => message).join('\n'))
    }
    return { dispose: () => void added.dispose() }
  }
  add(tools)
  return {
    async search(query, options = {}) {
      checkOpen()
      checkRequest(query, options)
      const { except, limit } = options
      const view = except ? viewWithout(except) : everything
      return search.search(query, { view, ...(limit !== undefined && { limit }) })
    },
    add,
    async ready() {
      checkOpen()
      await search.ready()
    },
    close() {
      isClosed = true
      return search.close()
    },
  }
}

/** Throws a one-sentence error for an invalid query. */
function checkRequest(query: unknown, { limit, except }: ListSearchOptions): void {
  if (typeof query !== 'string' || query.trim() === '')
    throw new TypeError(
      'search takes a text that says what the tool should do, or "select:" and the names of tools.',
    )
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1))
    throw new TypeError('search: "limit" must be a whole number from 1 on.')
  if (except !== undefined && !Array.isArray(except))
    throw new TypeError('search: "except" must be a list of ids of tools.')
}

function viewWithout(toolIds: readonly string[]): SearchView {
  const hidden = new Set(toolIds)
  return { key: hidden, mayFind: ({ toolId }) => !hidden.has(toolId) }
}
