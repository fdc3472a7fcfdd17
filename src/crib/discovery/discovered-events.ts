import type { EventDraft } from '../../storage/event-list.js'
import type { SurfaceSearchResult } from './to-search-result.js'

/** One event for each deferred tool that was found. Tools that were loaded before have none. */
export function discoveredEvents(
  { query, query_type, toolcrib }: SurfaceSearchResult,
  { surfaceId, at }: { surfaceId: string; at: number },
): EventDraft[] {
  return toolcrib.candidates
    .filter(({ schema_visibility }) => schema_visibility === 'deferred')
    .map(({ tool_id, score }) => ({
      type: 'tool.deferred.discovered',
      at,
      data: { surface_id: surfaceId, tool_id, query, query_type, tools: [{ tool_id, score }] },
    }))
}
