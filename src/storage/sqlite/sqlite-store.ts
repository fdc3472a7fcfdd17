import { dirname, resolve } from 'node:path'
import type { Store, WriteGroup, WriteOutcome } from '../store.js'
import { MAX_CHUNK_EVENTS } from '../store.js'
import { storeError } from '../store-error.js'
import { tellWatchers } from '../tell-watchers.js'
import { makeFolder } from '../../platform/files/make-folder.js'
import { nextPosition, writeWithRoom } from './write-group.js'
import { listDocuments } from './list-documents.js'
import { documentOf, loggedChunkOf, type ChunkColumns, type DocumentColumns } from './rows.js'
import { listCalls, rowOf, type CallColumns } from './list-calls.js'
import { connect, disconnect, patiently, type Connection } from './connection.js'
import { sqliteFailure } from './sqlite-failure.js'

export interface SqliteStoreOptions {
  /** The file; its folder is created when it is missing. */
  path: string
  /** How often to look for what other processes wrote, while someone watches. */
  pollMs?: number
}

/** Keeps everything in one SQLite file that any number of processes of one machine may share. */
export function sqliteStore(options: SqliteStoreOptions): Store {
  if (typeof options?.path !== 'string' || options.path === '') {
    throw new TypeError("sqliteStore takes the path of a file: sqliteStore({ path: './crib.db' }).")
  }
  const path = resolve(options.path)
  let connection: Connection | undefined
  /** Each with whether it keeps the process alive. */
  const watchers = new Map<() => void, boolean>()
  let polling: NodeJS.Timeout | undefined

  function connected(): Connection {
    if (!connection) throw storeError('toolcrib.store_closed', `The store ${path} is not open.`)
    return connection
  }

  /** Every use of the database goes through here, so that every failure leaves as one sentence. */
  function use<Value>(work: (on: Connection) => Value): Value {
    const on = connected()
    try {
      return work(on)
    } catch (error) {
      throw sqliteFailure(error, path)
    }
  }

  function write(group: WriteGroup): WriteOutcome {
    const outcome = use((on) => writeWithRoom(on, group))
    tellWatchers(watchers.keys())
    return outcome
  }

  function startPolling(): void {
    let seen = use((on) => on.dataVersion())
    polling = setInterval(() => {
      try {
        const now = use((on) => on.dataVersion())
        if (now === seen) return
        seen = now
        tellWatchers(watchers.keys())
      } catch {
        // A store that cannot be looked at for a moment is looked at again.
      }
    }, options.pollMs ?? 50)
  }

  function holdProcess(): void {
    if ([...watchers.values()].includes(true)) polling?.ref()
    else polling?.unref()
  }

  return {
    name: 'sqlite',
    location: path,
    async open() {
      if (connection) return
      try {
        makeFolder(dirname(path))
        connection = await patiently(() => connect(path))
      } catch (error) {
        throw sqliteFailure(error, path)
      }
    },
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
    listCalls: async (query) => use((on) => listCalls(on.database, query)),
    getDocument: async (tenant, kind, id) =>
      use((on) => {
        const row = on.getDocument.get(tenant, kind, id) as unknown as DocumentColumns | undefined
        return row && documentOf(row)
      }),
    listDocuments: async (query) => use((on) => listDocuments(on, query)),
    watch(changed, { unref = false } = {}) {
      watchers.set(changed, !unref)
      if (!polling) startPolling()
      holdProcess()
      return () => {
        watchers.delete(changed)
        if (watchers.size > 0) return holdProcess()
        clearInterval(polling)
        polling = undefined
      }
    },
    async close() {
      if (!connection) return
      const closing = connection
      connection = undefined
      clearInterval(polling)
      watchers.clear()
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
