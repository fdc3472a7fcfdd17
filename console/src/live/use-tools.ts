import { listTools } from '../api/client.js'
import type { ToolSummary } from '../api/types.js'
import { useResource, type Resource } from './use-resource.js'

const PAGE_SIZE = 500

/** Every tool of the catalog. Filters work on it without asking the server. */
export function useTools(): Resource<readonly ToolSummary[]> & { refresh: () => void } {
  return useResource('tools', loadTools, {
    events: { types: ['tool.declared', 'toolcrib.tool.', 'toolcrib.source.', 'toolcrib.config.'] },
  })
}

async function loadTools(signal: AbortSignal): Promise<readonly ToolSummary[]> {
  const tools: ToolSummary[] = []
  let cursor: string | undefined
  do {
    const page = await listTools({ limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }, signal)
    tools.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return tools
}
