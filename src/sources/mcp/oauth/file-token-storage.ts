import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { holdFileLock } from '../../../platform/files/hold-file-lock.js'
import { replaceFile } from '../../../platform/files/replace-file.js'
import { seal, unseal, type SealedGrantPlace } from '../../../approvals/seal.js'
import type { Grant, GrantPlace, TokenStorage } from './token-storage.js'
import { loadUserKeys } from '../../../approvals/load-seal-key.js'
import { configHome } from '../../../platform/config/config-home.js'

export interface TokenStorageOptions {
  /** Where the files stand; `tokens` in the user's settings folder, unless said. */
  readonly folder?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Longer than every request that may be made while it is held, together. */
const LOCK = { staleAfterMs: 120_000, waitMs: 60_000 }

export function tokenFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(configHome(env), 'tokens')
}

/**
 * Grants in the user's own settings folder: one sealed file for each user and address, so that no two logins ever write
 * to the same one.
 */
export function fileTokenStorage({ env = process.env, folder }: TokenStorageOptions = {}): TokenStorage {
  const home = folder ?? tokenFolder(env)
  let key: Buffer | undefined
  const keys = (): { seal: Buffer } => ({ seal: (key ??= loadUserKeys(env).tokens) })
  const pathOf = ({ user, url }: GrantPlace): string =>
    join(
      home,
      `${createHash('sha256')
        .update(JSON.stringify([user, url]))
        .digest('hex')
        .slice(0, 40)}.json`,
    )
  const seen = new Map<string, { stamp: string; grant: Grant | undefined }>()

  return {
    async load(place) {
      const path = pathOf(place)
      const stamp = stampOf(path)
      if (stamp === undefined) return undefined
      const before = seen.get(path)
      if (before?.stamp === stamp) return before.grant
      const grant = open(keys(), place, readSealed(path))
      seen.set(path, { stamp, grant })
      return grant
    },
    async save(grant) {
      const sealed = seal(keys(), sealedPlace(grant), grant)
      const path = pathOf(grant)
      // A replacement keeps the mode of what it replaces, and somebody may have opened that up.
      if (existsSync(path)) chmodSync(path, 0o600)
      replaceFile(path, `${JSON.stringify({ version: 1, sealed })}\n`, { mode: 0o600 })
    },
    async remove(place) {
      const path = pathOf(place)
      const isThere = stampOf(path) !== undefined
      rmSync(path, { force: true })
      return isThere
    },
    exclusively: (place, task) => holdFileLock(`${pathOf(place)}.lock`, LOCK, task),
  }
}

/** Changes with every replacement: each puts another file in its place. */
function stampOf(path: string): string | undefined {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false })
  return facts && [facts.ino, facts.mtimeNs, facts.size].join(' ')
}

function readSealed(path: string): unknown {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { sealed?: unknown } | null)?.sealed
  } catch {
    return undefined
  }
}

/** What was sealed with another key, or for another user or address, is no grant: a login is needed. */
function open(keys: { seal: Buffer }, place: GrantPlace, sealed: unknown): Grant | undefined {
  const opened = unseal(keys, sealedPlace(place), sealed)
  const grant = opened?.value as Grant | undefined
  return grant?.user === place.user && grant.url === place.url ? grant : undefined
}

function sealedPlace({ user, url }: GrantPlace): SealedGrantPlace {
  return { user, url, part: 'grant' }
}
