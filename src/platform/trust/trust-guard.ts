import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CribConfig } from '../config/config-schema.js'
import { readConfigFile, trustOf, whyUntrusted, type ReadConfigFile } from './config-trust.js'
import { isOwnConfig } from './own-config.js'
import { readTrusted, trustFile } from './trust-list.js'

/** Why a config that was trusted when it was loaded no longer is: a clause. Nothing while it is. */
export type TrustGuard = () => string | undefined

/**
 * For what runs again and again while a process stays: hooks at every call, servers whenever they are started anew. Files
 * are hashed again only when one of them, or a folder of theirs, was touched.
 */
export function createTrustGuard(configPath: string | undefined, config: CribConfig): TrustGuard {
  if (configPath === undefined || isOwnConfig(configPath)) return () => undefined
  const loaded = readOrNothing(configPath, config)
  let stamp: string | undefined
  return () => {
    const now = stampOf(placesOf(configPath))
    if (now === stamp) return undefined
    const why = whyNow(configPath, config, loaded)
    stamp = why === undefined ? now : undefined
    return why
  }
}

/** What runs is the config as it was loaded: a later text that nobody has trusted changes nothing about that. */
function whyNow(
  configPath: string,
  config: CribConfig,
  loaded: ReadConfigFile | undefined,
): string | undefined {
  if (loaded && trustOf(loaded).isTrusted) return undefined
  try {
    const trust = trustOf(readConfigFile(configPath, config))
    return trust.isTrusted ? undefined : whyUntrusted(configPath, trust)
  } catch {
    return 'it cannot be read any more'
  }
}

function readOrNothing(configPath: string, config: CribConfig): ReadConfigFile | undefined {
  try {
    return readConfigFile(configPath, config)
  } catch {
    return undefined
  }
}

/** The files, the folders in which a file that is named could come to be, and the list itself. */
function placesOf(configPath: string): string[] {
  const files = [configPath, ...Object.keys(readTrusted(configPath)?.files ?? {})]
  return [...new Set([trustFile(), process.cwd(), ...files, ...files.map((file) => dirname(file))])]
}

function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
      return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '-'
    })
    .join('\n')
}
