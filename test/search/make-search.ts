import { defineTool } from 'toolcrib'
import { createCatalog, type Catalog } from '../../src/catalog/catalog.js'
import type { CatalogTool } from '../../src/catalog/catalog-tool.js'
import type { ToolDraft } from '../../src/catalog/tool-draft.js'
import { createToolSearch, type ToolSearchOptions } from '../../src/search/create-tool-search.js'
import type { SentenceModel } from '../../src/search/meaning/sentence-model.js'
import type { SearchAnswer, SearchView, ToolSearch } from '../../src/search/tool-search.js'

export function tool(qualifiedName: string, description: string, more: object = {}): ToolDraft {
  const [namespace, name] = qualifiedName.split('.') as [string, string]
  return defineTool({ namespace, name, description, execute: () => 0, ...more })
}

export const everything: SearchView = { key: {}, mayFind: () => true }

/** A view of all tools except these. */
export function without(...hidden: readonly string[]): SearchView {
  return { key: {}, mayFind: ({ toolId }) => !hidden.includes(toolId) }
}

export interface TestSearch extends ToolSearch {
  readonly catalog: Catalog
  find(query: string, view?: SearchView): Promise<SearchAnswer>
  /** The ids of hits and near misses, best first. */
  ids(query: string, view?: SearchView): Promise<string[]>
}

export function searchAmong(
  drafts: readonly ToolDraft[],
  options: Omit<ToolSearchOptions, 'catalog'> = {},
): TestSearch {
  const catalog = createCatalog()
  catalog.add('test', drafts)
  const search = createToolSearch({ catalog, ...options })
  const find = (query: string, view: SearchView = everything): Promise<SearchAnswer> =>
    search.search(query, { view })
  return {
    ...search,
    catalog,
    find,
    ids: async (query, view) => idsOf(await find(query, view)),
  }
}

export function idsOf({ hits, nearMisses }: SearchAnswer): string[] {
  return [...hits, ...nearMisses].map(({ tool }) => tool.toolId)
}

export function catalogToolOf(draft: ToolDraft): CatalogTool {
  return createCatalog().add('test', [draft]).tools[0]!
}

/** A model that knows a few topics, each a direction. It counts its requests. */
export function topicModel(
  topics: readonly (readonly string[])[],
): SentenceModel & { asked: string[]; isClosed: boolean; fail: Error | undefined } {
  const model = {
    id: 'topics@1',
    dimensions: 8,
    asked: [] as string[],
    isClosed: false,
    fail: undefined as Error | undefined,
    embed(texts: readonly string[]) {
      if (model.fail) return Promise.reject(model.fail)
      model.asked.push(...texts)
      return Promise.resolve(
        texts.map((text) => {
          const vector = new Float32Array(8)
          const at = topics.findIndex((words) => words.some((word) => text.includes(word)))
          vector[at === -1 ? 7 : at] = 0.8
          // All sentences have something in common.
          vector[6] = 0.6
          return vector
        }),
      )
    },
    failure: () => model.fail,
    close() {
      model.isClosed = true
      return Promise.resolve()
    },
  }
  return model
}
