import { homedir } from 'node:os'
import { join } from 'node:path'
import { findConfig } from '../platform/config/find-config.js'
import { stateFolder } from '../platform/config/state-folder.js'
import type { StoreConfig } from './store-config.js'
import { isOwnConfig } from '../platform/trust/own-config.js'

export const STORE_FILE = 'crib.db'

/** The one SQLite file that belongs to the working folder's config, or to the user where there is none. */
export function defaultStore(): StoreConfig {
  return { kind: 'sqlite', path: join(defaultStateFolder(findConfig(process.cwd())), STORE_FILE) }
}

export function defaultStateFolder(configPath: string | undefined): string {
  // A settings folder must not contain records.
  const isOwn = configPath !== undefined && isOwnConfig(configPath)
  return stateFolder({
    configPath: isOwn ? undefined : configPath,
    env: process.env,
    platform: process.platform,
    home: homedir(),
  })
}
