import { createHash } from 'node:crypto'
import { readFile, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../platform/files/make-folder.js'
import { replaceFile } from '../../platform/files/replace-file.js'
import { isObject } from '../../platform/json/is-object.js'
import type { CompiledDocument } from './compiled.js'

/** Grows with every change of what compiling returns: older entries are then compiled again. */
export const COMPILER_VERSION = 6

/** A compiled document with what it was compiled from. */
export interface CachedDocument {
  readonly address: string
  /** Of the document's own text. */
  readonly textDigest: string
  readonly etag: string | undefined
  /** Documents that it refers to. */
  readonly referred: readonly { readonly address: string; readonly textDigest: string }[]
  /** Of all texts. */
  readonly digest: string
  readonly compiled: CompiledDocument
}

export interface CompiledCache {
  read(address: string): Promise<CachedDocument | undefined>
  write(entry: CachedDocument): void
  /** When the entry was last known to be up to date, in milliseconds since 1970. */
  confirmedAt(address: string): Promise<number>
  /** The document has not changed since it was written. */
  confirm(address: string): Promise<void>
}

/** Compiled documents in a folder, one file for each address. A file that cannot be read is compiled again. */
export function compiledCache(folder: string): CompiledCache {
  const pathOf = (address: string): string => join(folder, `${digestOf(address).slice(0, 32)}.json`)
  return {
    async read(address) {
      try {
        const found: unknown = JSON.parse(await readFile(pathOf(address), 'utf8'))
        if (
          !isObject(found) ||
          found['version'] !== COMPILER_VERSION ||
          found['address'] !== digestOf(address)
        )
          return undefined
        return { ...(found as unknown as CachedDocument), address }
      } catch {
        return undefined
      }
    },
    write(entry) {
      makeFolder(folder, { mode: 0o700 })
      // An address may hold a token.
      const stored = { version: COMPILER_VERSION, ...entry, address: digestOf(entry.address) }
      replaceFile(pathOf(entry.address), JSON.stringify(stored))
    },
    async confirmedAt(address) {
      return stat(pathOf(address)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      )
    },
    async confirm(address) {
      const now = new Date()
      // A file that cannot be marked is asked for again, and nothing else changes.
      await utimes(pathOf(address), now, now).catch(() => {})
    },
  }
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
