import type { CallQuery, CallRow } from './store.js'

/** Whether a call matches the query; the store does the paging. */
export function matchesCallQuery(row: CallRow, query: CallQuery): boolean {
  return (
    (query.tenant === undefined || row.tenant === query.tenant) &&
    (query.tool === undefined || row.toolId === query.tool) &&
    (query.tools === undefined || query.tools.has(row.toolId)) &&
    (query.status === undefined || query.status.includes(row.status)) &&
    (query.resultStatus === undefined ||
      (row.resultStatus !== undefined && query.resultStatus.includes(row.resultStatus))) &&
    (query.actor === undefined || row.actor === query.actor) &&
    (query.session === undefined || row.session === query.session) &&
    (query.surface === undefined || row.surfaceId === query.surface) &&
    (query.since === undefined || row.createdAt >= query.since) &&
    (query.until === undefined || row.createdAt < query.until) &&
    (query.open === undefined || (row.owner !== undefined) === query.open)
  )
}
