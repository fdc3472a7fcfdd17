import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { stateFolder } from '../platform/config/state-folder.js'
import { replaceFile } from '../platform/files/replace-file.js'

const SERVE_TOKEN_FILE = 'serve.token'
const OWNER_TOKEN_FILE = 'owner.token'
const SOUND = /^tcb_[\w-]{43}$/

/** In the user's own data folder, whatever the config: never in a project, which others may read. */
export function serveTokenPath(): string {
  return join(dataFolder(), SERVE_TOKEN_FILE)
}

/** Beside the token of clients. Nothing but this file has the owner's token. */
export function ownerTokenPath(): string {
  return join(dataFolder(), OWNER_TOKEN_FILE)
}

function dataFolder(): string {
  return stateFolder({ env: process.env, platform: process.platform, home: homedir() })
}

/** The token that agents send to the user's own gateway; created once, so that the config of clients stays valid. */
export function loadServeToken(path: string = serveTokenPath()): string {
  return loadToken(path)
}

/** The token of the user who owns the server, which may do everything; created once. It is never printed. */
export function loadOwnerToken(path: string = ownerTokenPath()): string {
  return loadToken(path)
}

/** Replaces the token in a file of the data folder. Servers of this user notice, and refuse the old one. */
export function replaceToken(path: string): string {
  const token = newToken()
  replaceFile(path, `${token}\n`, { mode: 0o600 })
  chmodSync(path, 0o600)
  return token
}

function loadToken(path: string): string {
  const kept = readToken(path)
  if (kept !== undefined) {
    chmodSync(path, 0o600)
    return kept
  }
  return replaceToken(path)
}

/** A token of 256 random bits. The prefix says whose it is. */
export function newToken(): string {
  return `tcb_${randomBytes(32).toString('base64url')}`
}

function readToken(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return SOUND.test(text) ? text : undefined
  } catch {
    return undefined
  }
}
