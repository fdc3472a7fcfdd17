import { closeSync, fsyncSync, openSync } from 'node:fs'
import { storeError } from '../store-error.js'
import type { Connection } from './connection.js'
import { ownSchema } from './migrations.js'
import { openDatabase, type DatabaseSync } from './open-database.js'

/** The tables that contain records, in the order in which they are copied. */
const TABLES = ['constants', 'calls', 'chunks', 'documents', 'deleted_groups', 'deleted_calls'] as const

/**
 * Copies everything, as it is at one moment, to a new file that nobody else can read. Other connections go on writing.
 * Documents of the given kinds are left out.
 */
export function writeSnapshot(
  { database }: Pick<Connection, 'database'>,
  path: string,
  { withoutKinds }: { withoutKinds: readonly string[] },
): void {
  // SQLite takes an empty file, which has the right mode already.
  closeSync(openSync(path, 'wx', 0o600))
  database.prepare('VACUUM INTO ?').run(path)
  const copy = openDatabase(path)
  try {
    removeKinds(copy, withoutKinds)
  } finally {
    copy.close()
  }
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Copies all of a snapshot into a store that has nothing yet, in one transaction. `false`: the store has something. The
 * snapshot must have the version of this program.
 */
export function adoptSnapshot({ database, constants }: Connection, path: string): boolean {
  database.prepare('ATTACH DATABASE ? AS snapshot').run(path)
  try {
    database.exec('BEGIN IMMEDIATE')
    try {
      const isEmpty = TABLES.every(
        (table) => database.prepare(`SELECT 1 FROM main.${table} LIMIT 1`).get() === undefined,
      )
      if (isEmpty) {
        for (const table of TABLES) database.exec(`INSERT INTO main.${table} SELECT * FROM snapshot.${table}`)
        database.exec(
          `UPDATE main.meta SET value = max(value, (SELECT value FROM snapshot.meta WHERE key = 'next_position'))
           WHERE key = 'next_position'`,
        )
      }
      database.exec('COMMIT')
      return isEmpty
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  } finally {
    constants.forget()
    database.exec('DETACH DATABASE snapshot')
  }
}

export interface SnapshotContents {
  readonly calls: number
  readonly openCalls: number
  readonly documents: number
  /** The kinds of documents in each tenant. */
  readonly kinds: readonly { tenant: string; kind: string }[]
  /** Streams that are not calls. */
  readonly streams: readonly { tenant: string; stream: string }[]
}

/**
 * What a snapshot contains, once documents of the given kinds are removed from it. Refuses a file whose tables are not
 * those of a store.
 */
export function prepareSnapshot(
  path: string,
  { withoutKinds }: { withoutKinds: readonly string[] },
): SnapshotContents {
  const database = openDatabase(path)
  try {
    database.exec('PRAGMA trusted_schema = OFF')
    checkSchema(database, path)
    removeKinds(database, withoutKinds)
    return contentsOf(database)
  } finally {
    database.close()
  }
}

/** What a snapshot contains that this program wrote. */
export function snapshotContents(path: string): SnapshotContents {
  const database = openDatabase(path)
  try {
    return contentsOf(database)
  } finally {
    database.close()
  }
}

function removeKinds(database: DatabaseSync, kinds: readonly string[]): void {
  const remove = database.prepare('DELETE FROM documents WHERE kind = ?')
  for (const kind of kinds) remove.run(kind)
}

function contentsOf(database: DatabaseSync): SnapshotContents {
  const count = (from: string): number =>
    (database.prepare(`SELECT count(*) AS n FROM ${from}`).get() as { n: number }).n
  return {
    calls: count('calls'),
    openCalls: count('calls WHERE owner IS NOT NULL'),
    documents: count('documents'),
    kinds: all(database, 'SELECT DISTINCT tenant, kind FROM documents ORDER BY tenant, kind'),
    streams: all(
      database,
      `SELECT tenant, stream FROM chunks k
       WHERE NOT EXISTS (SELECT 1 FROM calls c WHERE c.tenant = k.tenant AND c.id = k.stream)
       GROUP BY tenant, stream ORDER BY min(position)`,
    ),
  }
}

/** The documents of a kind in all tenants, one by one; the file is only read. */
export function* snapshotDocuments(
  path: string,
  kind: string,
): Generator<{ tenant: string; value: unknown }, void, void> {
  const database = openDatabase(path)
  try {
    const rows = database.prepare('SELECT tenant, value FROM documents WHERE kind = ?').iterate(kind)
    for (const { tenant, value } of rows as Iterable<{ tenant: string; value: string }>)
      yield { tenant, value: JSON.parse(value) }
  } finally {
    database.close()
  }
}

function all<Row>(database: DatabaseSync, query: string): Row[] {
  // Plain objects: rows have no prototype.
  return (database.prepare(query).all() as Row[]).map((row) => ({ ...row }))
}

/** A file that came from elsewhere could have tables that compute or refuse what is written to them. */
function checkSchema(database: DatabaseSync, path: string): void {
  const found = JSON.stringify(ownSchema(database))
  const fresh = openDatabase(':memory:')
  try {
    if (found === JSON.stringify(ownSchema(fresh, { isNew: true }))) return
  } finally {
    fresh.close()
  }
  throw storeError('toolcrib.store_foreign', `The tables of ${path} are not those of a store of Toolcrib.`)
}
