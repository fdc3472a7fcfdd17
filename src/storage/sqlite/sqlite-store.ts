import { dirname, resolve } from 'node:path'
import type { Store, WriteGroup, WriteOutcome, DocumentPage, DocumentQuery } from '../store.js'
import { MAX_CHUNK_EVENTS } from '../store.js'
import { storeError } from '../store-error.js'
import { createWatchers } from '../create-watchers.js'
import { makeFolder } from '../../platform/files/make-folder.js'
import { nextPosition, writeWithRetry } from './write-group.js'
import { documentOf, loggedChunkOf, type ChunkColumns, type DocumentColumns } from './rows.js'
import { listCalls, readCalls, rowOf, type CallColumns } from './list-calls.js'
import { connect, disconnect, patiently, type Connection } from './connection.js'
import { getDeletedCall, listDeletedGroups, readDeletedGroup } from './deleted-groups.js'
import { adoptSnapshot, writeSnapshot } from './snapshot.js'
import { pollChanges, type ChangePoll } from './poll-changes.js'
import { sqliteFailure } from './sqlite-failure.js'

export interface SqliteStoreOptions {
  /** The file; its folder is created when it is missing. */
  path: string
  /** How often to poll for writes of other processes, while there is a watcher. */
  pollMs?: number
}

const POLL_MS = 50

/** Stores everything in one SQLite file that any number of processes of one machine may share. */
export function sqliteStore(options: SqliteStoreOptions): Store {
  if (typeof options?.path !== 'string' || options.path === '') {
    throw new TypeError("sqliteStore takes the path of a file: sqliteStore({ path: './crib.db' }).")
  }
  const path = resolve(options.path)
  let connection: Connection | undefined
  const watchers = createWatchers()
  let poll: ChangePoll | undefined
  /** The watchers that keep the process alive. */
  const holders = new Set<() => void>()

  function connected(): Connection {
    if (!connection) throw storeError('toolcrib.store_closed', `The store ${path} is not open.`)
    return connection
  }

  /** Every use of the database goes through here, so that every failure becomes one sentence. */
  function use<Value>(work: (on: Connection) => Value): Value {
    const on = connected()
    try {
      return work(on)
    } catch (error) {
      throw sqliteFailure(error, path)
    }
  }

  function write(group: WriteGroup): WriteOutcome {
    const outcome = use((on) => writeWithRetry(on, group))
    watchers.written(group, outcome)
    return outcome
  }

  function endPolling(): void {
    poll?.stop()
    poll = undefined
  }

  return {
    name: 'sqlite',
    location: path,
    files: () => [path, `${path}-wal`, `${path}-shm`, `${path}-journal`],
    async open() {
      if (connection) return
      try {
        makeFolder(dirname(path))
        connection = await patiently(() => connect(path))
      } catch (error) {
        throw sqliteFailure(error, path)
      }
    },
    // Processes that share a file share a machine, and so a clock.
    now: Date.now,
    write,
    writeNow: write,
    sync: () =>
      connected()
        .wal.sync()
        .catch((error) => {
          throw sqliteFailure(error, path)
        }),
    readLog: async ({ tenant, after, limit }) =>
      use((on) => {
        const earliest = after - MAX_CHUNK_EVENTS
        const rows = on.readLog.all(earliest, after, tenant, earliest, after, tenant, limit)
        return (rows as unknown as ChunkColumns[]).map((row) => loggedChunkOf(row, on.constants.unpack))
      }),
    lastPosition: async () => use((on) => nextPosition(on) - 1),
    readStream: async (tenant, stream, after = 0) =>
      use((on) => {
        const rows = on.readStream.all(tenant, stream, after, tenant, stream, after, after)
        return (rows as unknown as ChunkColumns[]).map((row) => loggedChunkOf(row, on.constants.unpack))
      }),
    getCall: async (tenant, invocationId) =>
      use((on) => {
        const row = on.getCall.get(tenant, invocationId) as unknown as CallColumns | undefined
        return row && rowOf(row)
      }),
    listCalls: async (query) => use((on) => listCalls(on, query)),
    readCalls: async (query) => use((on) => readCalls(on, query)),
    getDeletedCall: async (tenant, invocationId) =>
      use((on) => getDeletedCall(on.deletedGroups, tenant, invocationId)),
    listDeletedGroups: async (query) => use((on) => listDeletedGroups(on.deletedGroups, query)),
    readDeletedGroup: async (tenant, id) => use((on) => readDeletedGroup(on.deletedGroups, tenant, id)),
    getDocument: async (tenant, kind, id) =>
      use((on) => {
        const row = on.getDocument.get(tenant, kind, id) as unknown as DocumentColumns | undefined
        return row && documentOf(row)
      }),
    listDocuments: async (query) => use((on) => listDocuments(on, query)),
    watch(topics, changed, { unref = false } = {}) {
      poll ??= pollChanges(use, watchers, options.pollMs ?? POLL_MS)
      poll.note(topics)
      const remove = watchers.add(topics, changed)
      if (!unref) holders.add(remove)
      poll.hold(holders.size > 0)
      return () => {
        remove()
        holders.delete(remove)
        if (watchers.size === 0) endPolling()
        else poll?.hold(holders.size > 0)
      }
    },
    snapshot: async (target, kinds) => use((on) => writeSnapshot(on, target, kinds)),
    adopt: async (snapshot) => use((on) => adoptSnapshot(on, snapshot)),
    async close() {
      if (!connection) return
      const closing = connection
      connection = undefined
      endPolling()
      watchers.clear()
      holders.clear()
      try {
        await closing.wal.sync()
      } catch (error) {
        throw sqliteFailure(error, path)
      } finally {
        await closing.wal.close()
        disconnect(closing.database)
      }
    },
  }
}

/** One page; the cursor is the id of its last document. */
function documentRows(
  on: Connection,
  { tenant, kind, prefix = '', descending = false, limit, cursor }: DocumentQuery,
): unknown[] {
  const most = limit + 1
  if (descending)
    return cursor === undefined
      ? on.listDocumentsDown.all(tenant, kind, prefix, prefix, most)
      : on.listDocumentsBefore.all(tenant, kind, prefix, cursor, most)
  return cursor === undefined
    ? on.listDocuments.all(tenant, kind, prefix, prefix, most)
    : on.listDocumentsAfter.all(tenant, kind, cursor, prefix, most)
}

function listDocuments(on: Connection, query: DocumentQuery): DocumentPage {
  const { limit } = query
  const rows = documentRows(on, query) as unknown as DocumentColumns[]
  const documents = rows.slice(0, limit).map(documentOf)
  return { documents, ...(rows.length > limit && { cursor: documents.at(-1)!.id }) }
}
