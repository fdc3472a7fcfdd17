import { memoryStore } from './memory/memory-store.js'
import { sqliteStore } from './sqlite/sqlite-store.js'
import { parseStoreConfig, type StoreConfig } from './store-config.js'
import type { Store } from './store.js'

/** The store that a configuration describes. Nothing is read or created before its `open` is called. */
export function openStore(given: StoreConfig | string): Store {
  const config = typeof given === 'string' ? parseStoreConfig(given) : given
  switch (config.kind) {
    case 'memory':
      return memoryStore()
    case 'sqlite':
      return sqliteStore({
        path: config.path,
        ...(config.pollMs !== undefined && { pollMs: config.pollMs }),
      })
    default:
      throw unknownKind(config)
  }
}

/** Untyped callers may pass anything. */
function unknownKind(config: never): TypeError {
  const { kind } = config as { kind?: unknown }
  return new TypeError(
    `There is no store of the kind ${JSON.stringify(kind)}; there are "sqlite" and "memory".`,
  )
}
