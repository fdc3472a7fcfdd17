import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { createConstants } from './constants.js'
import { prepareDeletedGroups } from './deleted-groups.js'
import { migrate, refuseForeign } from './migrations.js'
import { openDatabase, type DatabaseSync } from './open-database.js'
import { isBusy } from './sqlite-failure.js'
import { MAX_CHUNK_EVENTS } from '../store.js'
import { syncFolder } from '../../platform/files/sync-folder.js'
import { createInserts } from './inserts.js'
import { createFileSync } from './sync-file.js'

/** A call's first events are in its own row; its later ones, and other streams, in `chunks`. */
const FIRST_OF_CALL =
  'position, tenant, id AS stream, 1 AS first_sequence, created_at AS base_time, body, tool, surface, actor, session'
const FROM_CHUNKS = `k.position, k.tenant, k.stream, k.first_sequence, k.base_time, k.body,
  c.tool, c.surface, c.actor, c.session
  FROM chunks k LEFT JOIN calls c ON c.tenant = k.tenant AND c.id = k.stream`

const COLUMNS_OF_CALL = 14
const COLUMNS_OF_CHUNK = 7

const BUSY_MS = 10_000

/** Several processes may open a new file at once; while one of them sets it up, the others get "busy". */
export async function patiently<Value>(work: () => Value): Promise<Value> {
  const deadline = performance.now() + BUSY_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40))
    }
  }
}

/** Leaves one file where no other process has it open: statements that are not collected yet would keep its log. */
export function disconnect(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE')
  } catch {
    // Another process has it open and keeps the log.
  }
  database.close()
}

export function connect(path: string) {
  makePrivate(path)
  const database = openDatabase(path)
  try {
    // The schema of a file that came with a folder is not trusted: its defaults and checks call no function.
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA trusted_schema = OFF`)
    refuseForeign(database, path)
    // NORMAL syncs the log before each checkpoint; writes that must be on disk sooner wait for `sync`.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    database.exec('PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16000')
    // What is removed is overwritten. Always: a row that was rewritten before would leave its earlier form behind.
    database.exec('PRAGMA secure_delete = ON')
    migrate(database, path)
    // Creates the log file even when nothing was migrated, so that it can be synced.
    database.exec('BEGIN IMMEDIATE; UPDATE meta SET value = value; COMMIT')
    syncFolder(dirname(path))
    const wal = createFileSync(`${path}-wal`)
    return { database, wal, constants: createConstants(database), ...prepare(database) }
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Only the user can read a new file, whatever the umask; its log takes over the mode. An existing file keeps its mode.
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
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
    calls: createInserts(database, 'calls', COLUMNS_OF_CALL),
    chunks: createInserts(database, 'chunks', COLUMNS_OF_CHUNK),
    // Without the tool, which has an index: nearly all calls keep it, and SQLite would write the same entry again.
    updateCall: database.prepare(
      'UPDATE calls SET status = ?, result_status = ?, owner = ?, revision = ? WHERE tenant = ? AND id = ? AND revision = ? AND tool = ?',
    ),
    updateCallAndTool: database.prepare(
      'UPDATE calls SET status = ?, result_status = ?, owner = ?, revision = ?, tool = ? WHERE tenant = ? AND id = ? AND revision = ?',
    ),
    findFirstBody: database.prepare('SELECT body FROM calls WHERE tenant = ? AND id = ?'),
    findBody: database.prepare(
      'SELECT body FROM chunks WHERE tenant = ? AND stream = ? AND first_sequence = ?',
    ),
    // `+` keeps the tenant from choosing an index: the log is read by position, and sorting the rest is expensive.
    readLog: database.prepare(
      `SELECT ${FIRST_OF_CALL} FROM calls WHERE position > ? AND position + events - 1 > ? AND +tenant = ?
       UNION ALL
       SELECT ${FROM_CHUNKS} WHERE k.position > ? AND k.position + k.events - 1 > ? AND +k.tenant = ?
       ORDER BY position LIMIT ?`,
    ),
    readStream: database.prepare(
      `SELECT ${FIRST_OF_CALL} FROM calls WHERE tenant = ? AND id = ? AND events > ?
       UNION ALL
       SELECT ${FROM_CHUNKS} WHERE k.tenant = ? AND k.stream = ? AND k.first_sequence > ? - ${MAX_CHUNK_EVENTS}
         AND k.first_sequence + k.events - 1 > ?
       ORDER BY position`,
    ),
    laterChunks: database.prepare(
      `SELECT position, tenant, stream, first_sequence, base_time, body FROM chunks
       WHERE tenant = ? AND stream = ? ORDER BY first_sequence`,
    ),
    callRevision: database.prepare('SELECT revision FROM calls WHERE tenant = ? AND id = ?'),
    getCall: database.prepare('SELECT * FROM calls WHERE tenant = ? AND id = ?'),
    getDocument: database.prepare('SELECT * FROM documents WHERE tenant = ? AND kind = ? AND id = ?'),
    // Ids are compared as bytes: no byte of a text is 0xFF, so it ends the range of ids with the prefix.
    listDocuments: database.prepare(
      `SELECT * FROM documents WHERE tenant = ? AND kind = ? AND id >= ? AND id < ? || CAST(X'FF' AS TEXT)
       ORDER BY id LIMIT ?`,
    ),
    listDocumentsAfter: database.prepare(
      `SELECT * FROM documents WHERE tenant = ? AND kind = ? AND id > ? AND id < ? || CAST(X'FF' AS TEXT)
       ORDER BY id LIMIT ?`,
    ),
    listDocumentsDown: database.prepare(
      `SELECT * FROM documents WHERE tenant = ? AND kind = ? AND id >= ? AND id < ? || CAST(X'FF' AS TEXT)
       ORDER BY id DESC LIMIT ?`,
    ),
    listDocumentsBefore: database.prepare(
      `SELECT * FROM documents WHERE tenant = ? AND kind = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`,
    ),
    documentRevision: database.prepare(
      'SELECT revision FROM documents WHERE tenant = ? AND kind = ? AND id = ?',
    ),
    putDocument: database.prepare(
      `INSERT INTO documents VALUES (?, ?, ?, 1, ?, ?)
       ON CONFLICT DO UPDATE SET revision = revision + 1, updated_at = excluded.updated_at, value = excluded.value`,
    ),
    documentsVersion: database.prepare('SELECT version FROM document_changes WHERE tenant = ? AND kind = ?'),
    countDocuments: database.prepare('INSERT OR IGNORE INTO document_changes VALUES (?, ?, 0)'),
    noteDocuments: database.prepare(
      'UPDATE document_changes SET version = version + 1 WHERE tenant = ? AND kind = ?',
    ),
    removeCall: database.prepare(
      'DELETE FROM calls WHERE tenant = ? AND id = ? AND revision = ? AND owner IS NULL',
    ),
    removeChunks: database.prepare('DELETE FROM chunks WHERE tenant = ? AND stream = ?'),
    deleteDocument: database.prepare('DELETE FROM documents WHERE tenant = ? AND kind = ? AND id = ?'),
    deletedGroups: prepareDeletedGroups(database),
  }
}

/** An open file, its log, and every statement that the store uses. */
export type Connection = ReturnType<typeof connect>
