import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { stateFolder } from '../../platform/config/state-folder.js'
import { fileStamp } from '../../platform/files/file-stamp.js'
import { holdFileLock } from '../../platform/files/hold-file-lock.js'
import { replaceFile } from '../../platform/files/replace-file.js'
import { isObject } from '../../platform/json/is-object.js'
import { seal, unseal, type SealContext } from '../../platform/sealing/seal.js'
import { loadUserKeys } from '../../platform/sealing/user-keys.js'
import { ownCommand, shellWord } from '../../platform/text/own-command.js'
import { credentialProblem, setupProblem } from '../credential-problem.js'
import { systemKeyring, type SystemKeyring } from './system-keyring.js'

/** What may be shown of a person's own secret. */
export interface StoredSecret {
  readonly name: string
  /** ISO 8601. */
  readonly setAt: string
  readonly keptIn: 'file' | 'keyring'
}

/** A person's own secrets: names in a file, values sealed in the same file or in the keyring of the system. */
export interface SecretStore {
  /** In the order of their names. Throws where the file cannot be read. */
  list(): readonly StoredSecret[]
  find(name: string): StoredSecret | undefined
  /** Undefined where there is none of that name. */
  load(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<StoredSecret>
  /** Returns whether there was one. */
  remove(name: string): Promise<boolean>
}

interface Entry {
  readonly set_at: string
  /** Absent where the value is in the keyring. */
  readonly sealed?: string | undefined
}
type Entries = Readonly<Record<string, Entry>>

const VARIABLE = 'TOOLCRIB_SECRETS'
const FILE = 'secrets.json'
/** Longer than the keyring may take while the lock is held. */
const LOCK = { staleAfterMs: 180_000, waitMs: 120_000 }
const NO_ENTRIES: Entries = {}

/** In the user's own data folder, whatever the config: never in a project, which others may read. */
export function secretsFilePath(env: NodeJS.ProcessEnv = process.env): string {
  return join(stateFolder({ env, platform: process.platform, home: homedir() }), FILE)
}

/** The keyring is used for new secrets where TOOLCRIB_SECRETS says so; a secret stays where it was set. */
export function secretStore(env: NodeJS.ProcessEnv): SecretStore {
  const path = secretsFilePath(env)
  const keyring = systemKeyring(env)
  let sealKey: Buffer | undefined
  const keys = (): { seal: Buffer } => ({ seal: (sealKey ??= loadUserKeys(env).secrets) })
  let known: { readonly stamp: string | undefined; readonly entries: Entries } | undefined

  function entries(): Entries {
    const stamp = fileStamp(path)
    if (!known || known.stamp !== stamp)
      known = { stamp, entries: stamp === undefined ? NO_ENTRIES : (readEntries(path) ?? NO_ENTRIES) }
    return known.entries
  }

  async function change<Result>(task: (before: Entries) => Promise<[Entries, Result]>): Promise<Result> {
    return holdFileLock(`${path}.lock`, LOCK, async () => {
      const before = readEntriesOrStop(path)
      const [after, result] = await task(before)
      if (after === before) return result
      // A replacement keeps the mode of the old file, which may have been loosened.
      if (existsSync(path)) chmodSync(path, 0o600)
      replaceFile(path, `${JSON.stringify({ version: 1, secrets: after }, null, 2)}\n`, { mode: 0o600 })
      return result
    })
  }

  return {
    list: () =>
      Object.entries(readEntriesOrStop(path))
        .map(([name, entry]) => toStored(name, entry))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    find(name) {
      const entry = ofName(entries(), name)
      return entry && toStored(name, entry)
    },
    async load(name) {
      const entry = ofName(entries(), name)
      if (!entry) return undefined
      const value =
        entry.sealed === undefined ? await keyring.load(name) : openSealed(keys(), name, entry.sealed)
      if (value === undefined) throw unreadable(name)
      return value
    },
    set(name, value) {
      const problem = secretNameProblem(name)
      if (problem !== undefined) throw new TypeError(problem)
      return change(async (before) => {
        const keepsIn = wantedPlace(env)
        if (keepsIn === 'keyring') await keyring.set(name, value)
        else await forgetInKeyring(keyring, name, ofName(before, name))
        const sealed = keepsIn === 'file' ? seal(keys(), contextOf(name), value) : undefined
        const entry: Entry = { set_at: new Date().toISOString(), ...(sealed !== undefined && { sealed }) }
        return [{ ...before, [name]: entry }, toStored(name, entry)]
      })
    },
    remove: (name) =>
      change(async (before) => {
        const entry = ofName(before, name)
        if (!entry) return [before, false]
        await forgetInKeyring(keyring, name, entry)
        const { [name]: _, ...rest } = before
        return [rest, true]
      }),
  }
}

/** The characters that no shell, keyring or terminal treats in its own way. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@+/:-]{0,199}$/u

/** Undefined where a secret may have this name; else a sentence. */
export function secretNameProblem(name: string): string | undefined {
  if (NAME.test(name)) return undefined
  return 'The name of a secret has letters, digits, spaces and . _ @ + / : - only, such as petstore/ApiKeyAuth.'
}

function wantedPlace(env: NodeJS.ProcessEnv): 'file' | 'keyring' {
  const given = env[VARIABLE] || 'file'
  if (given === 'file' || given === 'keyring') return given
  throw setupProblem(`${VARIABLE} must be "file" or "keyring", not ${JSON.stringify(given)}.`)
}

/** A secret that moves into the file, or ends, must not stay in the keyring. */
async function forgetInKeyring(
  keyring: SystemKeyring,
  name: string,
  entry: Entry | undefined,
): Promise<void> {
  if (entry && entry.sealed === undefined) await keyring.remove(name)
}

function readEntriesOrStop(path: string): Entries {
  const found = existsSync(path) ? readEntries(path) : NO_ENTRIES
  if (!found) throw setupProblem(`${path} cannot be read as a file of secrets; move it away.`)
  return found
}

/** Undefined where the file is none of ours. */
function readEntries(path: string): Entries | undefined {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as unknown
    const secrets = isObject(file) ? file['secrets'] : undefined
    if (!isObject(secrets) || !Object.values(secrets).every(isEntry)) return undefined
    return secrets as Entries
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): boolean {
  if (!isObject(value) || typeof value['set_at'] !== 'string') return false
  return value['sealed'] === undefined || typeof value['sealed'] === 'string'
}

function ofName(entries: Entries, name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}

const toStored = (name: string, { set_at, sealed }: Entry): StoredSecret => ({
  name,
  setAt: set_at,
  keptIn: sealed === undefined ? 'keyring' : 'file',
})

const contextOf = (name: string): SealContext => ({ part: 'secret', name })

function openSealed(keys: { seal: Buffer }, name: string, sealed: string): string | undefined {
  const opened = unseal(keys, contextOf(name), sealed)
  return typeof opened?.value === 'string' ? opened.value : undefined
}

/** Sealed with another key, or removed from the keyring by another program. */
function unreadable(name: string): Error {
  return credentialProblem({
    message: `The secret "${name}" can no longer be read; set it again: ${ownCommand(`secrets set ${shellWord(name)}`)}.`,
    code: 'toolcrib.credential_missing',
  })
}
