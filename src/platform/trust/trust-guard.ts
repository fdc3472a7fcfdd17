import type { CribConfig } from '../config/config-schema.js'
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

/** Why a config that was trusted when it was loaded no longer is: a clause. Nothing while it is. */
export type TrustGuard = () => string | undefined

/**
 * For what runs again and again while a process stays: hooks at every call, servers whenever they are started anew. Files
 * are followed again only when something has changed that the last answer rests on.
 */
export function createTrustGuard(configPath: string | undefined, config: CribConfig): TrustGuard {
  if (configPath === undefined || isOwnConfig(configPath)) return () => undefined
  const loaded = readOrNothing(configPath, config)
  let trusted: { readonly cwd: string; readonly snapshots: readonly Snapshot[] } | undefined
  return () => {
    // A line for a shell names other files where one stands elsewhere.
    const cwd = process.cwd()
    const verified = trusted?.cwd === cwd ? trusted.snapshots.map(verifySnapshot) : [undefined]
    trusted = verified.every((snapshot) => snapshot !== undefined) ? { cwd, snapshots: verified } : undefined
    if (trusted) return undefined
    // Before they are read: what changes meanwhile must show the next time.
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

/** What runs is the config as it was loaded: a later text that nobody has trusted changes nothing about that. */
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
