import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileStamp } from '../../platform/files/file-stamp.js'
import { holdFileLock } from '../../platform/files/hold-file-lock.js'
import { replaceFile } from '../../platform/files/replace-file.js'
import { seal, unseal, type SealContext } from '../../platform/sealing/seal.js'
import type { Grant, GrantKey, TokenStorage } from './token-storage.js'
import { loadUserKeys } from '../../platform/sealing/user-keys.js'
import { tokenFolder } from './token-folder.js'

export interface TokenStorageOptions {
  /** The folder of the files; `tokens` in the user's settings folder by default. */
  readonly folder?: string
  readonly env?: NodeJS.ProcessEnv
}

export interface FileTokenStorage extends TokenStorage {
  /** The same as `load`, at once. */
  peek(key: GrantKey): Grant | undefined
}

/** Longer than all requests that may be made while the lock is held. */
const LOCK = { staleAfterMs: 120_000, waitMs: 60_000 }

/**
 * Grants in the user's settings folder: one encrypted file per user and address, so that no two logins write to the
 * same file.
 */
export function fileTokenStorage({ env = process.env, folder }: TokenStorageOptions = {}): FileTokenStorage {
  const home = folder ?? tokenFolder(env)
  let key: Buffer | undefined
  const keys = (): { seal: Buffer } => ({ seal: (key ??= loadUserKeys(env).tokens) })
  const pathOf = ({ user, url }: GrantKey): string =>
    join(
      home,
      `${createHash('sha256')
        .update(JSON.stringify([user, url]))
        .digest('hex')
        .slice(0, 40)}.json`,
    )
  const seen = new Map<string, { stamp: string; grant: Grant | undefined }>()

  function peek(key: GrantKey): Grant | undefined {
    const path = pathOf(key)
    const stamp = fileStamp(path)
    if (stamp === undefined) return undefined
    const before = seen.get(path)
    if (before?.stamp === stamp) return before.grant
    const grant = open(keys(), key, readSealed(path))
    seen.set(path, { stamp, grant })
    return grant
  }

  return {
    peek,
    load: async (key) => peek(key),
    async save(grant) {
      const sealed = seal(keys(), sealContext(grant), grant)
      const path = pathOf(grant)
      // A replacement keeps the mode of the old file, which may have been loosened.
      if (existsSync(path)) chmodSync(path, 0o600)
      replaceFile(path, `${JSON.stringify({ version: 1, sealed })}\n`, { mode: 0o600 })
    },
    async remove(key) {
      const path = pathOf(key)
      const isThere = fileStamp(path) !== undefined
      rmSync(path, { force: true })
      return isThere
    },
    exclusively: (key, task) => holdFileLock(`${pathOf(key)}.lock`, LOCK, task),
  }
}

function readSealed(path: string): unknown {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { sealed?: unknown } | null)?.sealed
  } catch {
    return undefined
  }
}

/** A file encrypted with another key, or for another user or address, counts as no grant: a login is needed. */
function open(keys: { seal: Buffer }, key: GrantKey, sealed: unknown): Grant | undefined {
  const opened = unseal(keys, sealContext(key), sealed)
  const grant = opened?.value as Grant | undefined
  return grant?.user === key.user && grant.url === key.url ? grant : undefined
}

function sealContext({ user, url }: GrantKey): SealContext {
  return { user, url, part: 'grant' }
}
