import { compiledCache } from './compiled-cache.js'
import type { CompiledFolder } from './compiled.js'
import { compileFolder, type FolderCache } from './compile/compile-folder.js'

export interface FolderLoader {
  /** The same folder as before where nothing has changed; otherwise only changed files are compiled again. */
  load(): Promise<CompiledFolder>
}

export interface FolderLoaderOptions {
  readonly folder: string
  /** What files compiled to is kept here. Absent: all files are compiled by the first load. */
  readonly cacheFolder: string | undefined
}

export function createFolderLoader({ folder, cacheFolder }: FolderLoaderOptions): FolderLoader {
  const stored = cacheFolder === undefined ? undefined : compiledCache(cacheFolder, folder)
  let cache: FolderCache | undefined
  let last: CompiledFolder | undefined
  return {
    async load() {
      cache ??= (await stored?.read()) ?? new Map()
      const before = new Map(cache)
      const next = await compileFolder(folder, { cache, lock: false })
      const isKept = isSame(before, cache)
      try {
        if (!isKept) stored?.write(cache)
      } catch {
        // Without a cache the next start takes longer, and nothing else changes.
      }
      // Problems of the folder itself are in no file.
      if (last && isKept && JSON.stringify(last.problems) === JSON.stringify(next.problems)) return last
      last = next
      return next
    },
  }
}

function isSame(before: FolderCache, after: FolderCache): boolean {
  if (before.size !== after.size) return false
  for (const [file, kept] of after) if (before.get(file) !== kept) return false
  return true
}
