import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../foundation/files/replace-file.js'
import { isOwnConfig } from './own-config.js'
import { configHome } from './rule-files.js'

type Trusted = Record<string, string>

/** Where stands what is trusted. */
export const trustFile = (env: NodeJS.ProcessEnv = process.env): string => join(configHome(env), 'trust.json')

/**
 * The hash under which a file was trusted must be the one that it has now: any change asks for trust again. What lies
 * beside the list of what is trusted needs no place in it: whoever can write there could write the list.
 */
export function isTrusted(path: string, text: string, env: NodeJS.ProcessEnv = process.env): boolean {
  return isOwnConfig(path, env) || readTrusted(env)[path] === hashOf(text)
}

/** Where there is no config file there is nothing to distrust. */
export function isConfigTrusted({ configPath }: { configPath: string | undefined }): boolean {
  if (configPath === undefined) return true
  try {
    return isTrusted(configPath, readFileSync(configPath, 'utf8'))
  } catch {
    return false
  }
}

/** Whether somebody trusted the file as it was once, and it is another now. */
export function hasChangedSinceTrusted(path: string, env: NodeJS.ProcessEnv = process.env): boolean {
  return readTrusted(env)[path] !== undefined && !isConfigTrusted({ configPath: path })
}

export function trustFileText(path: string, text: string, env: NodeJS.ProcessEnv = process.env): void {
  writeTrusted({ ...readTrusted(env), [path]: hashOf(text) }, env)
}

export function distrustFile(path: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const { [path]: present, ...rest } = readTrusted(env)
  if (present === undefined) return false
  writeTrusted(rest, env)
  return true
}

function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

/** A list that cannot be read trusts nothing. */
function readTrusted(env: NodeJS.ProcessEnv): Trusted {
  try {
    const value: unknown = JSON.parse(readFileSync(trustFile(env), 'utf8'))
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(Object.entries(value).filter(([, hash]) => typeof hash === 'string'))
  } catch {
    return {}
  }
}

function writeTrusted(trusted: Trusted, env: NodeJS.ProcessEnv): void {
  replaceFile(trustFile(env), `${JSON.stringify(trusted, null, 2)}\n`)
}
