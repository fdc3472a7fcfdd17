import { createTurns } from '../../platform/async/create-turns.js'
import type { CallQuery, Store } from '../../storage/store.js'
import type { ClosingPort, CribModule } from '../assemble.js'
import type { Crib } from '../crib.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import type { BlobsPort } from '../results/blobs-module.js'
import { deleteBatches } from './delete-batches.js'
import { deleteCalls, type Deletion } from './delete-calls.js'
import { deleteEnvelopes } from './delete-envelopes.js'
import {
  checkDeleteOptions,
  checkEnvelopeOptions,
  toMs,
  type DeletedEnvelopes,
  type DeletedRecords,
  type DeleteEnvelopesOptions,
  type DeleteRecordsOptions,
} from './delete-options.js'
import { deleteSurfaces } from './delete-surfaces.js'
import { readDeletedRecord, walkDeletedGroups, walkDeletedRecords } from './deleted-records.js'

type RecordsApi = Pick<Crib, 'deleteRecords' | 'deleteEnvelopes' | 'deletedRecord' | 'deletedRecords'>

const PAGE = 500
/** A surface may be in use for a while before its first call. */
const SURFACE_GRACE_MS = 24 * 60 * 60 * 1000

/** Deletes the records of calls, and knows what was deleted. */
export function openRecords(
  ports: OptionsPort & ClosingPort & RecordPort & BlobsPort,
): CribModule<object, RecordsApi> {
  const { journal, store, ids, now, redactor, sweeper, tenant: home, closing, checkOpen } = ports

  const running = new Set<Promise<unknown>>()

  async function deleteNow(options: DeleteRecordsOptions): Promise<DeletedRecords> {
    checkDeleteOptions(options)
    checkOpen()
    const signal = signalOf(options)
    await journal.flush()
    const { session, actor } = options
    const before = options.before === undefined ? undefined : toMs(options.before)
    const tenant = options.allTenants ? undefined : (options.tenant ?? home)
    // A session and an actor have an index of their own.
    const byTime = session === undefined && actor === undefined
    const query = { tenant, session, actor, until: before, byTime }
    // Open calls have an index of their own, and few of many calls are open.
    const skippedOpen = await countCalls(store, { ...query, byTime: false, open: true }, signal)
    if (options.dryRun) {
      const deleted = await countCalls(store, { ...query, open: false }, signal)
      return { deleted, skippedOpen, surfaces: 0, bytes: 0 }
    }
    const deletion = newDeletion(options)
    const parts = { store, now, signal }
    const { deleted, tenants, sweepable } = await deleteCalls(parts, query, deletion)
    const unchangedSince = Math.min(before ?? Infinity, now() - SURFACE_GRACE_MS)
    let surfaces = 0
    for (const each of new Set([...tenants, tenant ?? home]))
      surfaces += await deleteSurfaces(parts, { tenant: each, session, actor, unchangedSince })
    if (byTime) for (const each of tenants) await deleteBatches(parts, { tenant: each, until: before! })
    await store.sync()
    let bytes = 0
    for (const each of sweepable) bytes += (await sweeper.sweep(each)).bytes
    return { ...(deleted > 0 && { deletionId: deletion.id }), deleted, skippedOpen, surfaces, bytes }
  }

  async function deleteEnvelopesNow(options: DeleteEnvelopesOptions): Promise<DeletedEnvelopes> {
    checkEnvelopeOptions(options)
    checkOpen()
    const signal = signalOf(options)
    const tenant = options.allTenants ? undefined : (options.tenant ?? home)
    const query = { tenant, until: toMs(options.before) }
    if (options.dryRun) {
      let deleted = 0
      for await (const { callCount } of walkDeletedGroups(store, query)) deleted += callCount
      return { deleted }
    }
    const deletion = newDeletion(options)
    const deleted = await deleteEnvelopes({ store, now, signal }, query, deletion)
    await store.sync()
    return { ...(deleted > 0 && { deletionId: deletion.id }), deleted }
  }

  function signalOf({ signal: own }: { signal?: AbortSignal }): AbortSignal {
    const signal = own ? AbortSignal.any([own, closing]) : closing
    signal.throwIfAborted()
    return signal
  }

  function newDeletion({ by, reason }: { by: string; reason?: string }): Deletion {
    return {
      id: ids.next('del', now()),
      by: redactor.text(by),
      ...(reason !== undefined && { reason: redactor.text(reason) }),
    }
  }

  /** The close of the crib waits for it. */
  function track<Value>(deleting: Promise<Value>): Promise<Value> {
    running.add(deleting)
    const ended = (): unknown => running.delete(deleting)
    deleting.then(ended, ended)
    return deleting
  }

  return {
    // The close has aborted them: they end with the group that is being deleted.
    stop: () => Promise.allSettled(running),
    api: {
      deleteRecords: (options) => track(deleteNow(options)),
      deleteEnvelopes: (options) => track(deleteEnvelopesNow(options)),
      deletedRecord: (invocationId, { tenant } = {}) =>
        readDeletedRecord(store, tenant ?? home, invocationId),
      deletedRecords: ({ tenant } = {}) => walkDeletedRecords(store, tenant ?? home),
    },
  }
}

async function countCalls(
  store: Store,
  query: Omit<CallQuery, 'limit' | 'cursor'>,
  signal: AbortSignal,
): Promise<number> {
  const turns = createTurns()
  let count = 0
  let cursor: string | undefined
  do {
    const page = await store.listCalls({ ...query, limit: PAGE, cursor })
    count += page.rows.length
    cursor = page.cursor
    await turns.due()
    signal.throwIfAborted()
  } while (cursor !== undefined)
  return count
}
