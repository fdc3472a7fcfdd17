import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { stateFolder } from '../platform/config/state-folder.js'
import { replaceFile } from '../platform/files/replace-file.js'

const TOKEN_FILE = 'serve.token'
const SOUND = /^tcb_[\w-]{43}$/

/** In the user's own data folder, whatever the config: never in a project, which others may read. */
export function serveTokenPath(): string {
  return join(stateFolder({ env: process.env, platform: process.platform, home: homedir() }), TOKEN_FILE)
}

/** The token of the user's own gateway; created once, so that the config of its clients stays valid. */
export function loadServeToken(path: string = serveTokenPath()): string {
  const kept = readToken(path)
  if (kept !== undefined) {
    chmodSync(path, 0o600)
    return kept
  }
  const token = `tcb_${randomBytes(32).toString('base64url')}`
  replaceFile(path, `${token}\n`, { mode: 0o600 })
  chmodSync(path, 0o600)
  return token
}

function readToken(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return SOUND.test(text) ? text : undefined
  } catch {
    return undefined
  }
}
