import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { configFileNames } from '../config/find-config.js'
import { realPath } from '../files/follow-links.js'
import { readConfigFile, trustOf } from './config-trust.js'
import { distrustFile, readTrusted, writeTrusted } from './trust-list.js'

/** Marks a folder in the trust list, where a file would have its hash. */
const FOLDER = 'folder'

/**
 * Whether a person trusts the content of a folder: the folder itself or a parent was trusted by name, or the nearest
 * config file is trusted. This does not cover what was put into a trusted folder as a whole (another repository,
 * installed packages), and trust in the home folder does not cover everything below it.
 */
export function isFolderTrusted(folder: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const start = realPath(folder)
  if (start === undefined) return false
  const home = realPath(homedir())
  for (let at = start; ; at = dirname(at)) {
    const isTooWide = at === home || dirname(at) === at
    if (isTooWide && at !== start) return false
    if (readTrusted(keyOf(at), env)?.hash === FOLDER) return true
    const configPath = configFileNames.map((name) => join(at, name)).find((path) => existsSync(path))
    if (configPath !== undefined) return isConfigTrusted(configPath, env)
    if (isTooWide || basename(at) === 'node_modules' || existsSync(join(at, '.git'))) return false
  }
}

export function trustFolder(folder: string, env: NodeJS.ProcessEnv = process.env): void {
  writeTrusted(keyOf(realPath(folder) ?? folder), { hash: FOLDER, files: {} }, env)
}

export function distrustFolder(folder: string, env: NodeJS.ProcessEnv = process.env): boolean {
  return distrustFile(keyOf(realPath(folder) ?? folder), env)
}

function isConfigTrusted(configPath: string, env: NodeJS.ProcessEnv): boolean {
  try {
    return trustOf(readConfigFile(configPath), env).isTrusted
  } catch {
    return false
  }
}

/** No file has a path that ends like this. */
const keyOf = (folder: string): string => `${folder}/`
