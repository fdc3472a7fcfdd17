import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../platform/files/make-folder.js'
import { ownVersion } from '../../platform/files/own-package.js'
import { replaceFile } from '../../platform/files/replace-file.js'
import { isObject } from '../../platform/json/is-object.js'
import { sha256 } from '../../platform/json/sha256.js'
import type { FolderCache } from './compile/compile-folder.js'

/** Grows with every change of what compiling returns: older entries are then compiled again. */
export const COMPILER_VERSION = 5

/** What the files of a folder compiled to the last time. Each file is compared by its content. */
export interface CompiledCache {
  /** Empty where there is none, or it cannot be read. */
  read(): Promise<FolderCache>
  write(cache: FolderCache): void
}

/** In a file for each folder. */
export function compiledCache(cacheFolder: string, folder: string): CompiledCache {
  const path = join(cacheFolder, `${sha256(folder).slice(0, 32)}.json`)
  const version = `${COMPILER_VERSION} ${ownVersion()}`
  return {
    async read() {
      try {
        const found: unknown = JSON.parse(await readFile(path, 'utf8'))
        if (!isObject(found) || found['version'] !== version || !Array.isArray(found['files']))
          return new Map()
        return new Map(
          found['files'] as Iterable<[string, FolderCache extends Map<string, infer Kept> ? Kept : never]>,
        )
      } catch {
        return new Map()
      }
    },
    write(cache) {
      makeFolder(cacheFolder, { mode: 0o700 })
      replaceFile(path, JSON.stringify({ version, files: [...cache] }))
    },
  }
}
