import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configHome } from '../config/config-home.js'
import { replaceFile } from '../files/replace-file.js'
import { isObject } from '../json/is-object.js'

/** What a person trusted: the hash of a file, and of every file that it named. */
export interface TrustedFile {
  readonly hash: string
  readonly files: Readonly<Record<string, string>>
}

type TrustList = Readonly<Record<string, TrustedFile>>

/** The file of the trust list. */
export const trustFile = (env: NodeJS.ProcessEnv = process.env): string => join(configHome(env), 'trust.json')

export function readTrusted(path: string, env: NodeJS.ProcessEnv = process.env): TrustedFile | undefined {
  const list = readList(env)
  return Object.hasOwn(list, path) ? list[path] : undefined
}

/** Everything that is trusted, by path. */
export function trustedPaths(env: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(readList(env))
}

export function writeTrusted(path: string, trusted: TrustedFile, env: NodeJS.ProcessEnv = process.env): void {
  writeList({ ...readList(env), [path]: trusted }, env)
}

/** Whether there was something to remove. */
export function distrustFile(path: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const { [path]: present, ...rest } = readList(env)
  if (present === undefined) return false
  writeList(rest, env)
  return true
}

/** A list that cannot be read trusts nothing. */
function readList(env: NodeJS.ProcessEnv): TrustList {
  try {
    const value: unknown = JSON.parse(readFileSync(trustFile(env), 'utf8'))
    return isObject(value) ? Object.fromEntries(Object.entries(value).filter(isEntry)) : {}
  } catch {
    return {}
  }
}

function writeList(list: TrustList, env: NodeJS.ProcessEnv): void {
  replaceFile(trustFile(env), `${JSON.stringify(list, null, 2)}\n`)
}

function isEntry(entry: [string, unknown]): entry is [string, TrustedFile] {
  const [, value] = entry
  if (!isObject(value) || typeof value['hash'] !== 'string' || !isObject(value['files'])) return false
  return Object.values(value['files']).every((hash) => typeof hash === 'string')
}
