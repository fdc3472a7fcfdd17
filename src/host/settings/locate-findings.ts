import { ownCommand } from '../../platform/text/own-command.js'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type { ConfigFinding } from '../../platform/config/check-config.js'
import type { CribSettings } from '../crib-settings.js'

/**
 * Until a config is trusted, its records stay in its folder: a config from a stranger could otherwise open any file of
 * the user as a store, or send the user's keys to its own bucket.
 */
export function placeFindings({
  configPath,
  config: { store, blobs },
  trust,
}: Pick<CribSettings, 'configPath' | 'config' | 'trust'>): ConfigFinding[] {
  if (trust.isTrusted || configPath === undefined) return []
  const folder = dirname(configPath)
  const leaves = (path: string | undefined): boolean => {
    if (path === undefined) return false
    const from = relative(folder, resolve(folder, path))
    return from === '..' || from.startsWith('../') || isAbsolute(from)
  }
  const findings: ConfigFinding[] = []
  if (typeof store === 'object' && leaves(store.path))
    findings.push({ path: ['store', 'path'], message: `the store is outside of its folder, ${waits()}` })
  if (leaves(blobs?.path))
    findings.push({ path: ['blobs', 'path'], message: `the blobs are outside of its folder, ${waits()}` })
  if (blobs?.kind === 's3')
    findings.push({ path: ['blobs', 'kind'], message: `the blobs are in a bucket, ${waits()}` })
  return findings
}

const waits = (): string => `which counts once you trust this file: ${ownCommand('trust')}`
