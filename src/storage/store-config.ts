import { fileURLToPath } from 'node:url'
import { storeError } from './store-error.js'

/** Which store, and where. Plain data, so that a config file can contain it. */
export type StoreConfig =
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'sqlite'
      /** The file; its folder is created when it is missing. */
      readonly path: string
      /** How often to poll for writes of other processes, while there is a watcher. */
      readonly pollMs?: number | undefined
    }

/** Untyped callers may pass anything. */
export function isStoreConfig(given: unknown): given is StoreConfig {
  if (typeof given !== 'object' || given === null) return false
  const { kind, path } = given as { kind?: unknown; path?: unknown }
  return kind === 'memory' || (kind === 'sqlite' && typeof path === 'string' && path !== '')
}

/** The short form of a store: "memory", "sqlite:./crib.db", or just the path of a SQLite file. */
export function parseStoreConfig(text: string): StoreConfig {
  if (text === 'memory' || text === 'memory:') return { kind: 'memory' }
  if (text.startsWith('file://')) return { kind: 'sqlite', path: fileURLToPath(text) }
  if (text.startsWith('sqlite:')) return { kind: 'sqlite', path: text.slice('sqlite:'.length) }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    throw storeError(
      'toolcrib.store_unreachable',
      `There is no store for ${text.slice(0, text.indexOf('://'))} addresses; name a SQLite file, or "memory".`,
    )
  return { kind: 'sqlite', path: text }
}
