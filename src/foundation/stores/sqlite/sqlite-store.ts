import { dirname, resolve } from 'node:path'
import type { CallWrite, DocumentWrite, EventChunk, Store, WriteGroup, WriteOutcome } from '../store.js'
import { eventCount } from '../event-list.js'
import { MAX_CHUNK_EVENTS } from '../store.js'
import { storeError } from '../store-error.js'
import { createConstants } from './constants.js'
import { makeFolder } from './make-folder.js'
import { migrate } from './migrations.js'
import { openDatabase, type DatabaseSync } from './open-database.js'
import { documentOf, loggedChunkOf, type ChunkColumns, type DocumentColumns } from './rows.js'
import { listCalls, rowOf, type CallColumns } from './list-calls.js'
import { sqliteFailure } from './sqlite-failure.js'
import { createFileSync, syncFolder } from './sync-file.js'

export interface SqliteStoreOptions {
  /** The file; its folder is created when it is missing. */
  path: string
  /** How often to look for what other processes wrote, while someone watches. */
  pollMs?: number
}

/** A call's first events stand in its own row; its later ones, and other streams, in `chunks`. */
const FIRST_OF_CALL =
  'position, tenant, id AS stream, 1 AS first_sequence, created_at AS base_time, body, tool, surface, actor, session'
const FROM_CHUNKS = `k.position, k.tenant, k.stream, k.first_sequence, k.base_time, k.body,
  c.tool, c.surface, c.actor, c.session
  FROM chunks k LEFT JOIN calls c ON c.tenant = k.tenant AND c.id = k.stream`

/** Keeps everything in one SQLite file that any number of processes of one machine may share. */
export function sqliteStore(options: SqliteStoreOptions): Store {
  const path = resolve(options.path)
  let connection: ReturnType<typeof connect> | undefined
  const watchers = new Set<() => void>()
  let polling: NodeJS.Timeout | undefined

  function connected(): ReturnType<typeof connect> {
    if (!connection) throw storeError('toolcrib.store_closed', `The store ${path} is not open.`)
    return connection
  }

  /** Every use of the database goes through here, so that every failure leaves as one sentence. */
  function use<Value>(work: (on: ReturnType<typeof connect>) => Value): Value {
    const on = connected()
    try {
      return work(on)
    } catch (error) {
      throw sqliteFailure(error, path)
    }
  }

  function write(group: WriteGroup): WriteOutcome {
    const outcome = use((on) => writeGroup(on, group))
    for (const changed of watchers) changed()
    return outcome
  }

  function startPolling(): void {
    let seen = use((on) => on.dataVersion())
    polling = setInterval(() => {
      if (!connection) return
      const now = use((on) => on.dataVersion())
      if (now === seen) return
      seen = now
      for (const changed of watchers) changed()
    }, options.pollMs ?? 50)
  }

  return {
    name: 'sqlite',
    location: path,
    async open() {
      if (connection) return
      try {
        makeFolder(dirname(path))
        connection = connect(path)
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
    readStream: async (tenant, stream) =>
      use((on) => {
        const rows = on.readStream.all(tenant, stream, tenant, stream)
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
    listDocuments: async (tenant, kind) =>
      use((on) => (on.listDocuments.all(tenant, kind) as unknown as DocumentColumns[]).map(documentOf)),
    watch(changed) {
      watchers.add(changed)
      if (!polling) startPolling()
      return () => {
        watchers.delete(changed)
        if (watchers.size > 0) return
        clearInterval(polling)
        polling = undefined
      }
    },
    async close() {
      if (!connection) return
      const { wal, database } = connection
      clearInterval(polling)
      watchers.clear()
      await wal.sync().catch((error) => {
        throw sqliteFailure(error, path)
      })
      await wal.close()
      connection = undefined
      database.close()
    },
  }
}

function connect(path: string) {
  const database = openDatabase(path)
  try {
    // NORMAL syncs the log before each checkpoint; what must be on disk sooner waits for `sync`.
    database.exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    database.exec('PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16000')
    migrate(database, path)
    // Brings the log file into being even when nothing was migrated, so that it can be synced.
    database.exec('BEGIN IMMEDIATE; UPDATE meta SET value = value; COMMIT')
    syncFolder(dirname(path))
    const wal = createFileSync(`${path}-wal`)
    return { database, wal, constants: createConstants(database), ...prepare(database) }
  } catch (error) {
    database.close()
    throw error
  }
}

function prepare(database: DatabaseSync) {
  const dataVersion = database.prepare('PRAGMA data_version')
  return {
    dataVersion: () => (dataVersion.get() as { data_version: number }).data_version,
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    rollback: database.prepare('ROLLBACK'),
    nextPosition: database.prepare("SELECT value FROM meta WHERE key = 'next_position'"),
    setNextPosition: database.prepare("UPDATE meta SET value = ? WHERE key = 'next_position'"),
    insertCall: database.prepare('INSERT OR IGNORE INTO calls VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)'),
    updateCall: database.prepare(
      'UPDATE calls SET tool = ?, status = ?, result_status = ?, owner = ?, revision = ? WHERE tenant = ? AND id = ? AND revision = ?',
    ),
    insertChunk: database.prepare('INSERT INTO chunks VALUES (?,?,?,?,?,?,?)'),
    readLog: database.prepare(
      `SELECT ${FIRST_OF_CALL} FROM calls WHERE position > ? AND position + events - 1 > ? AND tenant = ?
       UNION ALL
       SELECT ${FROM_CHUNKS} WHERE k.position > ? AND k.position + k.events - 1 > ? AND k.tenant = ?
       ORDER BY position LIMIT ?`,
    ),
    readStream: database.prepare(
      `SELECT ${FIRST_OF_CALL} FROM calls WHERE tenant = ? AND id = ?
       UNION ALL
       SELECT ${FROM_CHUNKS} WHERE k.tenant = ? AND k.stream = ?
       ORDER BY position`,
    ),
    getCall: database.prepare('SELECT * FROM calls WHERE tenant = ? AND id = ?'),
    getDocument: database.prepare('SELECT * FROM documents WHERE tenant = ? AND kind = ? AND id = ?'),
    listDocuments: database.prepare('SELECT * FROM documents WHERE tenant = ? AND kind = ? ORDER BY id'),
    putDocument: database.prepare(
      `INSERT INTO documents VALUES (?, ?, ?, 1, ?, ?)
       ON CONFLICT DO UPDATE SET revision = revision + 1, updated_at = excluded.updated_at, value = excluded.value`,
    ),
    deleteDocument: database.prepare('DELETE FROM documents WHERE tenant = ? AND kind = ? AND id = ?'),
  }
}

type Connection = ReturnType<typeof connect>

function nextPosition(on: Connection): number {
  return (on.nextPosition.get() as { value: number }).value
}

function writeGroup(on: Connection, group: WriteGroup): WriteOutcome {
  on.begin.run()
  try {
    const conflictingCalls: string[] = []
    const conflictingDocuments: number[] = []
    const start = nextPosition(on)
    let position = start
    for (const call of group.calls ?? []) {
      if (writeCall(on, call, position)) position += eventCount(call.events)
      else conflictingCalls.push(call.row.invocationId)
    }
    for (const chunk of group.chunks ?? []) {
      insertChunk(on, chunk, position)
      position += eventCount(chunk.events)
    }
    group.documents?.forEach((document, index) => {
      if (!writeDocument(on, document)) conflictingDocuments.push(index)
    })
    if (position !== start) on.setNextPosition.run(position)
    on.commit.run()
    return { conflictingCalls, conflictingDocuments }
  } catch (error) {
    rollBack(on)
    throw error
  }
}

// A full disk may already have ended the transaction; then there is nothing to roll back.
function rollBack(on: Connection): void {
  on.constants.forget()
  try {
    on.rollback.run()
  } catch {}
}

function writeCall(on: Connection, call: CallWrite, position: number): boolean {
  return call.row.revision === 1 ? insertCall(on, call, position) : updateCall(on, call, position)
}

function insertCall(on: Connection, { row, events }: CallWrite, position: number): boolean {
  const { changes } = on.insertCall.run(
    position,
    eventCount(events),
    row.tenant,
    row.invocationId,
    row.toolId,
    row.surfaceId,
    row.status,
    row.resultStatus ?? null,
    row.actor ?? null,
    row.session ?? null,
    row.createdAt,
    row.owner ?? null,
    1,
    on.constants.pack(events),
  )
  return changes === 1
}

function updateCall(on: Connection, { row, firstSequence, events }: CallWrite, position: number): boolean {
  const { changes } = on.updateCall.run(
    row.toolId,
    row.status,
    row.resultStatus ?? null,
    row.owner ?? null,
    row.revision,
    row.tenant,
    row.invocationId,
    row.revision - 1,
  )
  if (changes !== 1) return false
  const { tenant, invocationId: stream, createdAt: baseTime } = row
  insertChunk(on, { tenant, stream, firstSequence, baseTime, events }, position)
  return true
}

function insertChunk(on: Connection, chunk: EventChunk, position: number): void {
  on.insertChunk.run(
    position,
    eventCount(chunk.events),
    chunk.tenant,
    chunk.stream,
    chunk.firstSequence,
    chunk.baseTime,
    on.constants.pack(chunk.events),
  )
}

function writeDocument(on: Connection, write: DocumentWrite): boolean {
  const { tenant, kind, id } = write
  if (write.expectedRevision !== undefined) {
    const row = on.getDocument.get(tenant, kind, id) as unknown as DocumentColumns | undefined
    if ((row?.revision ?? 0) !== write.expectedRevision) return false
  }
  if (write.value === undefined) on.deleteDocument.run(tenant, kind, id)
  else on.putDocument.run(tenant, kind, id, write.updatedAt, JSON.stringify(write.value))
  return true
}
