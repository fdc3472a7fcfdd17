import type { DatabaseSync } from './open-database.js'
import { moveDeletedRecords } from './move-deleted-records.js'
import { storeError } from '../store-error.js'

/** Marks a SQLite file as ours: "crib" in ASCII. */
export const APPLICATION_ID = 0x63726962

/**
 * Each entry migrates a file from the previous version to the next; released entries are never edited.
 *
 * A call's row also has its first chunk of events: most calls begin and end within one write and are then one insert.
 * Later chunks, and those of streams that are not calls, are in `chunks`. Positions run through both.
 */
const migrations: readonly (string | ((database: DatabaseSync) => void))[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   INSERT INTO meta VALUES ('next_position', 1);
   CREATE TABLE calls (
     position INTEGER PRIMARY KEY,
     events INTEGER NOT NULL,
     tenant TEXT NOT NULL,
     id TEXT NOT NULL,
     tool TEXT NOT NULL,
     surface TEXT NOT NULL,
     status TEXT NOT NULL,
     result_status TEXT,
     actor TEXT,
     session TEXT,
     created_at INTEGER NOT NULL,
     owner TEXT,
     revision INTEGER NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX calls_by_id ON calls (tenant, id);
   CREATE INDEX calls_by_tool ON calls (tenant, tool);
   CREATE INDEX calls_by_status ON calls (tenant, status);
   CREATE INDEX calls_by_actor ON calls (tenant, actor) WHERE actor IS NOT NULL;
   CREATE INDEX calls_by_session ON calls (tenant, session) WHERE session IS NOT NULL;
   CREATE INDEX calls_open ON calls (position) WHERE owner IS NOT NULL;
   CREATE TABLE chunks (
     position INTEGER PRIMARY KEY,
     events INTEGER NOT NULL,
     tenant TEXT NOT NULL,
     stream TEXT NOT NULL,
     first_sequence INTEGER NOT NULL,
     base_time INTEGER NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX chunks_by_stream ON chunks (tenant, stream, first_sequence);
   CREATE TABLE constants (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE documents (
     tenant TEXT NOT NULL,
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     revision INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY (tenant, kind, id)
   ) STRICT, WITHOUT ROWID;`,
  // The same tables. The data of an event may be a shared part and its own: programs of the previous version cannot
  // read that.
  '',
  // Kinds of documents that were watched, each with a number that grows with each write: a process that watches one
  // kind is not woken by another. Kinds without a watcher are not counted, for that would be one page more to write.
  `CREATE TABLE document_changes (
     tenant TEXT NOT NULL,
     kind TEXT NOT NULL,
     version INTEGER NOT NULL,
     PRIMARY KEY (tenant, kind)
   ) STRICT, WITHOUT ROWID;`,
  // Old calls are found by their age, also those that were restored late.
  'CREATE INDEX calls_by_time ON calls (created_at);',
  // The same tables. The types of events are written as one number, and an ordinary result without what follows from
  // its row: programs of the previous version cannot read that.
  '',
  // Idempotency keys had the results of calls, also those that must not be stored.
  "DELETE FROM documents WHERE kind = 'http_idempotency_key';",
  // What stays of deleted calls was a document for each of them, and is a short row: what the calls of a group have in
  // common is in the row of the group.
  `CREATE TABLE deleted_groups (
     first INTEGER PRIMARY KEY,
     calls INTEGER NOT NULL,
     tenant TEXT NOT NULL,
     id TEXT NOT NULL,
     deleted_at INTEGER NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX deleted_groups_by_id ON deleted_groups (tenant, id);
   CREATE INDEX deleted_groups_by_time ON deleted_groups (deleted_at);
   CREATE TABLE deleted_calls (number INTEGER PRIMARY KEY, id ANY NOT NULL, body BLOB NOT NULL) STRICT;
   CREATE INDEX deleted_calls_by_id ON deleted_calls (id);`,
  moveDeletedRecords,
]

/** Brings the file to this program's version, or says why it cannot be used. */
export function migrate(database: DatabaseSync, path: string): void {
  if (isCurrent(database)) return
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = readVersion(database, path)
    for (const migration of migrations.slice(version)) apply(database, migration)
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** The tables and indexes of a file, as it defines them; of a new file, as this version makes them. */
export function ownSchema(database: DatabaseSync, { isNew = false }: { isNew?: boolean } = {}): unknown[] {
  if (isNew) for (const migration of migrations) apply(database, migration)
  return database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name').all()
}

function apply(database: DatabaseSync, migration: (typeof migrations)[number]): void {
  if (typeof migration === 'string') database.exec(migration)
  else migration(database)
}

export const STORE_VERSION = migrations.length

/** Before anything is written: a file that is not ours, or of an unknown version, is not changed. */
export function refuseForeign(database: DatabaseSync, path: string): void {
  // In one transaction: another process may be setting the file up at this moment.
  database.exec('BEGIN')
  try {
    readVersion(database, path)
  } finally {
    database.exec('COMMIT')
  }
}

function isCurrent(database: DatabaseSync): boolean {
  return (
    pragma(database, 'application_id') === APPLICATION_ID &&
    pragma(database, 'user_version') === migrations.length
  )
}

function readVersion(database: DatabaseSync, path: string): number {
  const version = pragma(database, 'user_version')
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    const tables = database.prepare('SELECT count(*) AS n FROM sqlite_master').get() as { n: number }
    if (version !== 0 || tables.n > 0) {
      throw storeError(
        'toolcrib.store_foreign',
        `${path} is a SQLite database of another program; give the store a path of its own.`,
      )
    }
  }
  // The database must have no triggers or views: a file that came with a folder could change what is written.
  const active = database
    .prepare("SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT 1")
    .get()
  if (active !== undefined) {
    throw storeError(
      'toolcrib.store_foreign',
      `${path} has triggers or views that Toolcrib did not make; remove the file, or give the store another path.`,
    )
  }
  if (version > migrations.length) {
    throw storeError(
      'toolcrib.store_newer',
      `${path} was written by a newer toolcrib (store version ${version}, this one knows ${migrations.length}); ` +
        'update toolcrib or give the store another path.',
    )
  }
  return version
}

function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, number>
  return row[name] ?? 0
}
