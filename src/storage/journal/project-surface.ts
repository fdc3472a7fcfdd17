import type { ToolSurface } from '../../contract/objects/tool-surface.js'
import { eventAt, eventCount } from '../event-list.js'
import type { LoggedChunk } from '../store.js'

/** A ref to a surface as it was at one of its revisions. */
export function surfaceRef(surfaceId: string, revision: number): string {
  return `${surfaceId}@${revision}`
}

/** All states of a surface, by its revisions. */
export function projectSurface(chunks: readonly LoggedChunk[]): ToolSurface[] {
  const records: ToolSurface[] = []
  for (const { events, baseTime } of chunks) {
    for (let index = 0; index < eventCount(events); index++) {
      const { type, data } = eventAt(events, index, baseTime)
      if (type === 'tool.surface.created' || type === 'tool.surface.updated')
        records.push((data as { surface: ToolSurface }).surface)
    }
  }
  return records
}
