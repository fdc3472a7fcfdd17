import type { CribConfig } from '../config/schema/config-schema.js'
import { createCachedFileSystem } from './cached-file-system.js'
import {
  checkTrust,
  readConfigFile,
  whyUntrusted,
  type CheckedTrust,
  type ReadConfigFile,
} from './config-trust.js'
import { isOwnConfig } from './own-config.js'
import { verifySnapshot, type Snapshot } from './snapshot.js'
import { trustFile } from './trust-list.js'

/** Why a config that was trusted when it was loaded no longer is: a clause. Undefined while it is. */
export type TrustGuard = () => string | undefined

/**
 * For what runs repeatedly while a process lives: hooks at every call, servers at every start. Files are followed again
 * only when something has changed that the last answer depends on.
 */
export function createTrustGuard(configPath: string | undefined, config: CribConfig): TrustGuard {
  if (configPath === undefined || isOwnConfig(configPath)) return () => undefined
  const loaded = readOrNothing(configPath, config)
  let trusted: { readonly cwd: string; readonly snapshots: readonly Snapshot[] } | undefined
  return () => {
    // A shell line names other files in another folder.
    const cwd = process.cwd()
    const verified = trusted?.cwd === cwd ? trusted.snapshots.map(verifySnapshot) : [undefined]
    trusted = verified.every((snapshot) => snapshot !== undefined) ? { cwd, snapshots: verified } : undefined
    if (trusted) return undefined
    // Before they are read: a change meanwhile must show the next time.
    const own = snapshotOf([trustFile(), configPath])
    const { why, snapshots } = whyNow(configPath, config, loaded)
    if (why === undefined) trusted = { cwd, snapshots: [own, ...snapshots] }
    return why
  }
}

interface TrustNow {
  readonly why: string | undefined
  readonly snapshots: readonly Snapshot[]
}

/** The config runs as it was loaded: a later text that was not trusted does not change that. */
function whyNow(configPath: string, config: CribConfig, loaded: ReadConfigFile | undefined): TrustNow {
  const asLoaded = loaded && checkTrust(loaded)
  if (asLoaded?.trust.isTrusted) return { why: undefined, snapshots: asLoaded.snapshots }
  let checked: CheckedTrust
  try {
    checked = checkTrust(readConfigFile(configPath, config))
  } catch {
    return { why: 'it cannot be read any more', snapshots: [] }
  }
  const { trust, snapshots } = checked
  return { why: trust.isTrusted ? undefined : whyUntrusted(configPath, trust), snapshots }
}

function snapshotOf(files: readonly string[]): Snapshot {
  const fileSystem = createCachedFileSystem()
  for (const file of files) fileSystem.readFile(file)
  return fileSystem.snapshot()
}

function readOrNothing(configPath: string, config: CribConfig): ReadConfigFile | undefined {
  try {
    return readConfigFile(configPath, config)
  } catch {
    return undefined
  }
}
