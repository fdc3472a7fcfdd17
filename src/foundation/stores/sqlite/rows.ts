import type { EventClass } from '../../contract/unions.js'
import type { EventDraft, LoggedChunk, StoredDocument } from '../store.js'

export interface ChunkColumns {
  position: number
  events: number
  tenant: string
  stream: string
  first_sequence: number
  invocation_id: string | null
  tool: string | null
  body: string
}

export interface DocumentColumns {
  tenant: string
  kind: string
  id: string
  revision: number
  updated_at: number
  value: string
}

type PackedEvent = [type: EventClass, sinceFirst: number, data?: object]

/** `[time of the first event, [type, milliseconds after it, data], …]`: names that repeat in every event are left out. */
export function packEvents(events: readonly EventDraft[]): string {
  const first = events[0]?.at ?? 0
  const packed: unknown[] = [first]
  for (const { type, at, data } of events) {
    packed.push(data === undefined ? [type, at - first] : [type, at - first, data])
  }
  return JSON.stringify(packed)
}

function unpackEvents(body: string): EventDraft[] {
  const [first, ...packed] = JSON.parse(body) as [number, ...PackedEvent[]]
  return packed.map(([type, sinceFirst, data]) => ({ type, at: first + sinceFirst, data }))
}

export function loggedChunkOf(row: ChunkColumns): LoggedChunk {
  return {
    position: row.position,
    chunk: {
      tenant: row.tenant,
      stream: row.stream,
      firstSequence: row.first_sequence,
      invocationId: row.invocation_id ?? undefined,
      toolId: row.tool ?? undefined,
      events: unpackEvents(row.body),
    },
  }
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
