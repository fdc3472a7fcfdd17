import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { createRequire } from 'node:module'

export type DatabaseSync = DatabaseSyncInstance

/** Opens with Node's own SQLite where it has one, else with the package that offers the same API. */
export function openDatabase(path: string): DatabaseSync {
  const { DatabaseSync } = sqliteModule()
  return new DatabaseSync(path)
}

type SqliteModule = typeof import('@photostructure/sqlite')

let loaded: SqliteModule | undefined

function sqliteModule(): SqliteModule {
  loaded ??= builtInModule() ?? (createRequire(import.meta.url)('@photostructure/sqlite') as SqliteModule)
  return loaded
}

function builtInModule(): SqliteModule | undefined {
  const emitWarning = process.emitWarning
  // Node 22 warns on every start that its SQLite is experimental; users of a crib do not need that warning.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule?.('node:sqlite' as 'node:fs') as unknown as SqliteModule | undefined
  } catch {
    return undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
