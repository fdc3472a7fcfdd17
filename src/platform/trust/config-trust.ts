import { readFileSync } from 'node:fs'
import type { CribConfig } from '../config/schema/config-schema.js'
import { shortPath } from '../config/describe-problem.js'
import { createCachedFileSystem } from './cached-file-system.js'
import type { FollowedFiles } from './follow-files.js'
import { isProgram, namedFiles, type NamedFiles, type NamedFilesOptions } from './named-files.js'
import { isOwnConfig } from './own-config.js'
import { storeReading } from './reading-cache.js'
import { hashOf, UNREADABLE, type Snapshot } from './snapshot.js'
import { readTrusted, writeTrusted } from './trust-list.js'

/** A file that may need trust, as it was read. */
export interface ReadConfigFile {
  readonly path: string
  readonly text: string
  /** Its value, where that is known without running it, or where it was run because it is trusted. */
  readonly config?: CribConfig | undefined
}

/** Whether a config and everything that it names are as a person trusted them; and if not, which file differs. */
export type ConfigTrust =
  | { readonly isTrusted: true }
  /** It was never trusted. */
  | { readonly isTrusted: false; readonly why: 'unknown' }
  /** The file is another than the one that was trusted. */
  | { readonly isTrusted: false; readonly why: 'changed'; readonly file: string }
  /** It names a file now that was not among those that were trusted. */
  | { readonly isTrusted: false; readonly why: 'added'; readonly file: string }

export const TRUSTED: ConfigTrust = { isTrusted: true }

/**
 * The one function that decides whether something found in a folder may be imported or run. Files beside the trust list
 * need no entry in it: a process that can write there could write the list.
 */
export function trustOf(read: ReadConfigFile, env: NodeJS.ProcessEnv = process.env): ConfigTrust {
  return checkTrust(read, env).trust
}

export interface CheckedTrust {
  readonly trust: ConfigTrust
  /** While these stay unchanged, the files that it names are those that were compared. */
  readonly snapshots: readonly Snapshot[]
}

/** The same, with what the answer depends on. */
export function checkTrust(read: ReadConfigFile, env: NodeJS.ProcessEnv = process.env): CheckedTrust {
  const { path, text } = read
  if (isOwnConfig(path, env)) return { trust: TRUSTED, snapshots: [] }
  const trusted = readTrusted(path, env)
  if (!trusted) return { trust: { isTrusted: false, why: 'unknown' }, snapshots: [] }
  if (trusted.hash !== hashOf(text))
    return { trust: { isTrusted: false, why: 'changed', file: path }, snapshots: [] }
  const fileSystem = createCachedFileSystem()
  const { reading, place } = filesNamedBy(read, { fileSystem, env })
  // A file that is no longer named may be the reason why another file was trusted.
  const hashNow = (file: string): string =>
    reading.files.get(file) ?? fileSystem.readFile(file)?.hash ?? UNREADABLE
  const changed = Object.entries(trusted.files).find(([file, hash]) => hashNow(file) !== hash)
  const snapshots = [fileSystem.snapshot(), reading.snapshot]
  if (changed) return { trust: { isTrusted: false, why: 'changed', file: changed[0] }, snapshots }
  // Even if no text changed, a file that a pattern or a name refers to may have been added.
  const added = [...reading.files.keys()].find((file) => !Object.hasOwn(trusted.files, file))
  if (added !== undefined) return { trust: { isTrusted: false, why: 'added', file: added }, snapshots }
  storeReading(reading, place)
  return { trust: TRUSTED, snapshots }
}

/** Everything that would be trusted together with a file. */
export function filesOf(read: ReadConfigFile, env: NodeJS.ProcessEnv = process.env): FollowedFiles {
  return filesNamedBy(read, { fileSystem: createCachedFileSystem(), env }).reading
}

function filesNamedBy({ path, text, config }: ReadConfigFile, options: NamedFilesOptions): NamedFiles {
  return namedFiles({ path, config, ...(isProgram(path) && { code: text }) }, options)
}

/** Records that a person trusts a file and everything it names, as all of it was read. */
export function trustAsRead(
  read: ReadConfigFile,
  files: FollowedFiles['files'],
  env: NodeJS.ProcessEnv = process.env,
): void {
  writeTrusted(read.path, { hash: hashOf(read.text), files: Object.fromEntries(files) }, env)
  // Stores the reading, so that the first start need not follow the files once more.
  checkTrust(read, env)
}

/**
 * For a person's own change of a file that they trusted, or that had nothing to trust. Earlier trust stays as it was;
 * the files that the change itself names are added.
 */
export function trustChange(read: ReadConfigFile): void {
  const before = readTrusted(read.path)?.files ?? {}
  writeTrusted(read.path, {
    hash: hashOf(read.text),
    files: { ...Object.fromEntries(filesOf(read).files), ...before },
  })
}

/**
 * For a change by somebody who has not seen the files that a config names. If its text was the trusted one, the new text
 * is; files that were not trusted before are not, and as long as it names one, neither is the config.
 */
export function trustTextOnly(
  { path, text }: ReadConfigFile,
  before: string,
  env: NodeJS.ProcessEnv = process.env,
): void {
  const trusted = readTrusted(path, env)
  if (trusted?.hash === hashOf(before)) writeTrusted(path, { ...trusted, hash: hashOf(text) }, env)
}

/** The files that a config names and that were not trusted with it, or have changed since. */
export function untrustedFiles(read: ReadConfigFile, env: NodeJS.ProcessEnv = process.env): string[] {
  const { path } = read
  if (isOwnConfig(path, env)) return []
  const trusted = readTrusted(path, env)?.files ?? {}
  return [...filesOf(read, env).files].flatMap(([file, hash]) => (trusted[file] === hash ? [] : [file]))
}

/** Why a config is not trusted: a clause that follows its name. */
export function whyUntrusted(path: string, trust: Exclude<ConfigTrust, { isTrusted: true }>): string {
  switch (trust.why) {
    case 'unknown':
      return 'you have not trusted it'
    case 'changed':
      return trust.file === path
        ? 'it has changed since you trusted it'
        : `${shortPath(trust.file)} has changed since you trusted it`
    case 'added':
      return `it names ${shortPath(trust.file)}, which was not there when you trusted it`
  }
}

/** The file as it is now, for callers that have only its path. */
export function readConfigFile(path: string, config?: CribConfig): ReadConfigFile {
  return { path, text: readFileSync(path, 'utf8'), config }
}
