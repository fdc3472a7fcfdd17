import { dirname, join, resolve } from 'node:path'
import { parseStoreConfig, type StoreConfig } from '../../storage/store-config.js'
import { defaultStateFolder, STORE_FILE } from '../../storage/default-store.js'
import type { CribSettings } from '../crib-settings.js'

/** The store of a config. A given store replaces it; a path is then relative to the working folder. */
export function configuredStore(
  { configPath, config: { store } }: CribSettings,
  given?: StoreConfig | string,
): StoreConfig {
  if (given !== undefined)
    return withFullPath(typeof given === 'string' ? parseStoreConfig(given) : given, '.')
  if (store === 'memory' || store?.kind === 'memory') return { kind: 'memory' }
  if (store?.path !== undefined)
    return withFullPath({ kind: 'sqlite', path: store.path }, dirname(configPath ?? '.'))
  return { kind: 'sqlite', path: join(defaultStateFolder(configPath), STORE_FILE) }
}

function withFullPath(config: StoreConfig, folder: string): StoreConfig {
  return config.kind === 'sqlite' ? { ...config, path: resolve(folder, config.path) } : config
}
