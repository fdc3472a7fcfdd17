import type { LoggedChunk, StoredDocument } from '../store.js'
import type { Constants } from './constants.js'

export interface ChunkColumns {
  position: number
  tenant: string
  stream: string
  first_sequence: number
  base_time: number
  body: string
  /** Only on chunks of calls. */
  tool: string | null
  surface: string | null
  actor: string | null
  session: string | null
}

export interface DocumentColumns {
  tenant: string
  kind: string
  id: string
  revision: number
  updated_at: number
  value: string
}

export function loggedChunkOf(row: ChunkColumns, unpack: Constants['unpack']): LoggedChunk {
  const chunk: LoggedChunk = {
    position: row.position,
    tenant: row.tenant,
    stream: row.stream,
    firstSequence: row.first_sequence,
    baseTime: row.base_time,
    events: unpack(row.body, { stream: row.stream, baseTime: row.base_time }),
  }
  if (row.tool !== null && row.surface !== null) {
    chunk.call = {
      invocationId: row.stream,
      toolId: row.tool,
      surfaceId: row.surface,
      actor: row.actor ?? undefined,
      session: row.session ?? undefined,
    }
  }
  return chunk
}

export function documentOf(row: DocumentColumns): StoredDocument {
  return {
    tenant: row.tenant,
    kind: row.kind,
    id: row.id,
    revision: row.revision,
    updatedAt: row.updated_at,
    value: JSON.parse(row.value),
  }
}
