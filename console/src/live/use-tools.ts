import { listTools } from '../api/client.js'
import type { ToolSummary } from '../api/types.js'
import { useResource, type Resource } from './use-resource.js'

/** A few screens of rows: they are there before the tokens of thousands of tools are counted. */
const FIRST_PAGE_SIZE = 100
const PAGE_SIZE = 500

export interface Tools extends Resource<readonly ToolSummary[]> {
  /** False: `data` has the first tools, and the others are not loaded yet. */
  readonly isComplete: boolean
  readonly refresh: () => void
}

/** The tools of the catalog: the first ones soon, then all of them. Filters work on them without asking the server. */
export function useTools(): Tools {
  const { data, ...rest } = useResource('tools', loadTools, {
    events: { types: ['tool.declared', 'toolcrib.tool.', 'toolcrib.source.', 'toolcrib.config.'] },
  })
  return { ...rest, data: data?.tools, isComplete: data?.isComplete ?? false }
}

interface LoadedTools {
  readonly tools: readonly ToolSummary[]
  readonly isComplete: boolean
}

async function loadTools(signal: AbortSignal, show: (part: LoadedTools) => void): Promise<LoadedTools> {
  let { items: tools, next_cursor: cursor } = await listTools({ limit: FIRST_PAGE_SIZE }, signal)
  while (cursor !== undefined) {
    show({ tools, isComplete: false })
    const page = await listTools({ limit: PAGE_SIZE, cursor }, signal)
    tools = [...tools, ...page.items]
    cursor = page.next_cursor
  }
  return { tools, isComplete: true }
}
