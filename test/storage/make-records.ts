import { indexAfter, positionAt } from '../../src/storage/chunk-positions.js'
import { eventAt, eventCount, toEventList, type EventDraft } from '../../src/storage/event-list.js'
import type {
  CallRow,
  CallWrite,
  DocumentWrite,
  EventChunk,
  LoggedChunk,
  Store,
  StoredDocument,
} from '../../src/storage/store.js'

/** Records for tests of stores: only the fields that a test names differ from the default. */
function makeEvents(count: number, at = 1_000, note = 'e'): EventDraft[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'tool.invocation.progress',
    at: at + index,
    data: { note: `${note}${index}` },
  }))
}

export function makeChunk(
  stream: string,
  { count = 1, firstSequence = 1, tenant = 't1', note = 'e' } = {},
  events: readonly EventDraft[] = makeEvents(count, 1_000, note),
): EventChunk {
  return { tenant, stream, firstSequence, baseTime: 1_000, events: toEventList(events, 1_000) }
}

export function makeCall(id: string, more: Partial<CallRow> = {}, count = 1, firstSequence = 1): CallWrite {
  const row: CallRow = {
    tenant: 't1',
    invocationId: id,
    toolId: 'local.tool',
    surfaceId: 'surface_1',
    status: 'running',
    createdAt: 1_000,
    owner: 'crib_1',
    revision: 1,
    ...more,
  }
  const events = toEventList(makeEvents(count, row.createdAt, `${id}.`), row.createdAt)
  return { row, firstSequence, events }
}

/** The events of a chunk that was read, one by one. */
export function eventsOf({ events, baseTime }: LoggedChunk): EventDraft[] {
  return Array.from({ length: eventCount(events) }, (_, index) => eventAt(events, index, baseTime))
}

/** Every event of a tenant as `stream#sequence`, read in pages of the given size. Their positions must grow. */
export async function wholeLog(store: Store, tenant = 't1', limit = 7): Promise<string[]> {
  return (await positionedLog(store, tenant, limit)).map(({ event }) => event)
}

/** As `wholeLog`, each event with its position. */
export async function positionedLog(
  store: Store,
  tenant = 't1',
  limit = 7,
): Promise<{ event: string; position: number }[]> {
  const seen: { event: string; position: number }[] = []
  let after = 0
  for (;;) {
    const page = await store.readLog({ tenant, after, limit })
    if (page.length === 0) return seen
    for (const chunk of page) {
      const { stream, firstSequence } = chunk
      const count = eventsOf(chunk).length
      for (let index = indexAfter(chunk, after); index < count; index++) {
        const position = positionAt(chunk, index)
        if (position <= after) throw new Error(`position ${position} comes after ${after}`)
        seen.push({ event: `${stream}#${firstSequence + index}`, position })
        after = position
      }
    }
  }
}

/** Small and seeded, so that a failing run can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** All documents of a kind, read in pages of the given size. */
export async function documentsOf(
  store: Store,
  tenant: string,
  kind: string,
  { prefix, descending, limit = 3 }: { prefix?: string; descending?: boolean; limit?: number } = {},
): Promise<StoredDocument[]> {
  const found: StoredDocument[] = []
  let cursor: string | undefined
  do {
    const page = await store.listDocuments({ tenant, kind, prefix, descending, limit, cursor })
    if (page.documents.length > limit) throw new Error(`a page of ${page.documents.length}, not ${limit}`)
    found.push(...page.documents)
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

export function documentWrite(write: Partial<DocumentWrite>): DocumentWrite {
  return { tenant: 't1', kind: 'k', id: 'd', updatedAt: 1, value: {}, ...write }
}
