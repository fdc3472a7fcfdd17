import { watch, type FSWatcher } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { watchFiles } from '../../platform/files/watch-files.js'
import { LOCK_FILE } from './lock/lock-file.js'

export interface FollowFolderOptions {
  readonly folder: string
  /** Ends it. */
  readonly signal: AbortSignal
  onChange(): Promise<void>
}

/** A save is often more than one event. */
const SETTLE_MS = 20

/**
 * Follows the files of a folder from the first call of the returned function on. Notifications of the system make a
 * change take effect at once. Polling finds what they miss: they differ between systems, and network drives have none.
 */
export function followFolder({ folder, signal, onChange }: FollowFolderOptions): () => void {
  const parts = ['tools', 'agents'].map((name) => join(folder, name))
  const watchers = new Map<string, FSWatcher>()
  let isFollowing = false
  let timer: NodeJS.Timeout | undefined

  function soon(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void onChange(), SETTLE_MS).unref()
  }

  /** A folder that is not there yet is tried again when polling finds a change. */
  function listen(): void {
    for (const part of parts) {
      if (watchers.has(part) || signal.aborted) continue
      try {
        const watcher = watch(part, { persistent: false }, soon)
        watcher.on('error', () => forget(part))
        watchers.set(part, watcher)
      } catch {
        // Polling is enough.
      }
    }
  }

  function forget(part: string): void {
    watchers.get(part)?.close()
    watchers.delete(part)
  }

  signal.addEventListener(
    'abort',
    () => {
      clearTimeout(timer)
      for (const part of parts) forget(part)
    },
    { once: true },
  )

  return () => {
    if (isFollowing || signal.aborted) return
    isFollowing = true
    listen()
    watchFiles(async () => [join(folder, LOCK_FILE), ...(await filesIn(parts))], {
      signal,
      async onChange() {
        // A folder that was replaced by another needs another watcher.
        for (const part of parts) forget(part)
        listen()
        await onChange()
      },
    })
  }
}

/** With the folders: a file that is added or removed changes its folder. */
async function filesIn(parts: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    parts.map(async (part) => {
      const names = await readdir(part).catch(() => [])
      return names.filter((name) => !name.startsWith('.')).map((name) => join(part, name))
    }),
  )
  return [...parts, ...lists.flat()]
}
