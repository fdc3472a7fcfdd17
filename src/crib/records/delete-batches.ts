import { nextTurn } from '../../platform/async/next-turn.js'
import { eventAt, eventCount } from '../../storage/event-list.js'
import type { Store } from '../../storage/store.js'
import { BATCH_KIND, type ClosedBatch } from '../batches/batch-record.js'

const GROUP = 50

/** Deletes the records of batches that were opened before a time and of which no call is stored any more. */
export async function deleteBatches(
  { store, now, signal }: { store: Store; now(): number; signal: AbortSignal },
  { tenant, until }: { tenant: string; until: number },
): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await store.listDocuments({ tenant, kind: BATCH_KIND, limit: GROUP, cursor })
    // Their ids are in the order of their times.
    const old = page.documents.filter(({ updatedAt }) => updatedAt < until)
    const over: string[] = []
    for (const { id } of old) if (await isOver(store, tenant, id)) over.push(id)
    if (over.length > 0)
      await store.write({
        documents: over.map((id) => ({ tenant, kind: BATCH_KIND, id, updatedAt: now(), value: undefined })),
        removedStreams: over.map((stream) => ({ tenant, stream })),
      })
    cursor = old.length === page.documents.length ? page.cursor : undefined
    await nextTurn()
    signal.throwIfAborted()
  } while (cursor !== undefined)
}

/** A batch that was never closed may have calls that nothing names. */
async function isOver(store: Store, tenant: string, batchId: string): Promise<boolean> {
  for (const { events, baseTime } of await store.readStream(tenant, batchId)) {
    for (let index = 0; index < eventCount(events); index++) {
      const { type, data } = eventAt(events, index, baseTime)
      if (type !== 'toolcrib.batch.closed') continue
      for (const { invocation_id: id } of (data as ClosedBatch).calls)
        if (id !== undefined && (await store.getCall(tenant, id))) return false
      return true
    }
  }
  return false
}
