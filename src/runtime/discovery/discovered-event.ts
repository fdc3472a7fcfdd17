import type { EventDraft } from '../../foundation/stores/event-list.js'
import type { SurfaceSearchResult } from './to-search-result.js'

/** That deferred tools were found. What was loaded already is no news. */
export function discoveredEvent(
  { query, query_type, toolcrib }: SurfaceSearchResult,
  { surfaceId, at }: { surfaceId: string; at: number },
): EventDraft | undefined {
  const tools = toolcrib.candidates
    .filter(({ schema_visibility }) => schema_visibility === 'deferred')
    .map(({ tool_id, score }) => ({ tool_id, score }))
  if (tools.length === 0) return undefined
  return { type: 'tool.deferred.discovered', at, data: { surface_id: surfaceId, query, query_type, tools } }
}
