import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { shellWord } from '../../../platform/text/own-command.js'
import { openStore } from '../../../storage/open-store.js'
import type { Store } from '../../../storage/store.js'
import { configuredStore } from '../../../host/stores/configured-store.js'
import { keyFilePath, loadUserKeys } from '../../../platform/sealing/user-keys.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import type { GivenOptions } from '../program/command.js'
import { sizeText } from '../terminal/size-text.js'
import type { Finding } from './finding.js'

/** Whether the record can be read and written. The check creates no file. */
export async function checkStore(settings: CribSettings, { store: given }: GivenOptions): Promise<Finding> {
  const check = 'store'
  const store = openStore(configuredStore(settings, given))
  if (store.isEphemeral) return { check, status: 'ok', message: 'in memory: it ends with each command' }
  const [path] = store.files()
  if (path !== undefined && !existsSync(path)) {
    const folder = nearestFolder(path)
    return mayWrite(folder)
      ? { check, status: 'ok', message: `${shortPath(path)} is made by the first call` }
      : { check, status: 'problem', message: `${shortPath(path)} cannot be made: ${folder} is not writable` }
  }
  if (path !== undefined && (!mayWrite(path) || !mayWrite(dirname(path))))
    return {
      check,
      status: 'problem',
      message: `${shortPath(path)} or its folder is not writable for this user`,
      next: `ls -ld ${shellWord(dirname(path))} ${shellWord(path)}`,
    }
  try {
    await store.open()
    await store.lastPosition()
    return { check, status: 'ok', message: locationText(store) }
  } catch (error) {
    return { check, status: 'problem', message: sentenceOf(error) }
  } finally {
    await store.close().catch(() => {}) // a store that was not opened has nothing to close
  }
}

/** Whether the key that seals pending calls can be used, and only by its owner. */
export function checkSealKey(env: NodeJS.ProcessEnv = process.env): Finding {
  const check = 'seal key'
  const path = keyFilePath(env)
  const isNamed = Boolean(env['TOOLCRIB_SEAL_KEY'])
  if (!isNamed && !existsSync(path)) {
    const folder = nearestFolder(path)
    return mayWrite(folder)
      ? { check, status: 'ok', message: 'it is made when a call first waits' }
      : { check, status: 'problem', message: `it cannot be made: ${folder} is not writable` }
  }
  try {
    loadUserKeys(env)
  } catch (error) {
    return { check, status: 'problem', message: sentenceOf(error) }
  }
  if (isNamed) return { check, status: 'ok', message: 'from TOOLCRIB_SEAL_KEY' }
  const isOpen = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
  return isOpen
    ? {
        check,
        status: 'problem',
        message: `others can read ${shortPath(path)}`,
        next: `chmod 600 ${shellWord(path)}`,
      }
    : { check, status: 'ok', message: shortPath(path) }
}

/** Where the store is, and the size of its files. */
function locationText(store: Store): string {
  const there = store.files().filter((file) => existsSync(file))
  if (there.length === 0) return store.location
  const bytes = there.reduce((sum, file) => sum + statSync(file).size, 0)
  return `${shortPath(store.location)} (${sizeText(bytes)})`
}

function sentenceOf(error: unknown): string {
  return errorMessage(error)
}

function nearestFolder(path: string): string {
  let folder = dirname(path)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}
