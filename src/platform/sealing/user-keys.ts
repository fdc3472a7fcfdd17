import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { stateFolder } from '../config/state-folder.js'
import { syncFolder } from '../files/sync-folder.js'
import { errorMessage } from '../text/error-message.js'
import { deriveKeys, SECRET_BYTES, type SealKeys } from './derive-keys.js'

export type SealKey = Uint8Array | string

export const SEAL_KEY_VARIABLE = 'TOOLCRIB_SEAL_KEY'
const KEY_FILE = 'seal.key'

/** The key was given, named or stored in an unusable way; the message says what to do. */
export interface SealKeyError extends Error {
  code: 'toolcrib.seal_key_unusable'
}

function unusable(message: string): SealKeyError {
  return Object.assign(new Error(message), { code: 'toolcrib.seal_key_unusable' as const })
}

/** The user's keys, independent of the store: for data that outlives every crib. */
export function loadUserKeys(env: NodeJS.ProcessEnv = process.env): SealKeys {
  const named = env[SEAL_KEY_VARIABLE]
  return deriveKeys(named ? parseSealKey(SEAL_KEY_VARIABLE, named) : loadKeyFile(keyFilePath(env)))
}

/** 32 bytes, or their base64 text. */
export function parseSealKey(where: string, given: unknown): Uint8Array {
  if (given instanceof Uint8Array && given.length === SECRET_BYTES) return given
  if (typeof given === 'string' && /^[A-Za-z0-9+/_-]+={0,2}$/.test(given.trim())) {
    const bytes = Buffer.from(given.trim(), 'base64')
    if (bytes.length === SECRET_BYTES) return bytes
  }
  throw unusable(`${where} must be 32 bytes or their base64 text; "openssl rand -base64 32" makes one.`)
}

/** In the user's own data folder, whatever the config says: never beside the records that it seals in a project. */
export function keyFilePath(env: NodeJS.ProcessEnv = process.env): string {
  const folder = stateFolder({ env, platform: process.platform, home: homedir() })
  return join(folder, KEY_FILE)
}

/** Reads the key; creates it if there is none. Processes that create it at the same time all get the same one. */
export function loadKeyFile(path: string): Uint8Array {
  try {
    return readKey(path) ?? makeKey(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'toolcrib.seal_key_unusable') throw error
    const why = errorMessage(error)
    throw unusable(
      `The key that seals waiting calls cannot be kept in ${path} (${why}); set ${SEAL_KEY_VARIABLE} to 32 random bytes in base64.`,
    )
  }
}

function readKey(path: string): Uint8Array | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return parseSealKey(path, text)
}

function makeKey(path: string): Uint8Array {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${randomBytes(SECRET_BYTES).toString('base64')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    chmodSync(draft, 0o600)
    // Unlike a rename, a link fails if another process was faster: its key stays, and is read below.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(folder)
  return readKey(path)!
}
