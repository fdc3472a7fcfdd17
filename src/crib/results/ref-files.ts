import { createWriteStream } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { RefFile } from '../../pipeline/refs/ref-reader.js'
import { livenessOfWriter, markWriter } from '../../storage/blobs/spool/writer-mark.js'

export interface RefFiles {
  /** A copy for one executor, until it is released. */
  copy(name: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<RefFile>
  close(): Promise<void>
}

const PREFIX = 'toolcrib-refs-'

/** Files for executors, in a folder of the process that made them. */
export function createRefFiles(): RefFiles {
  let folder: Promise<string> | undefined

  return {
    async copy(name, bytes, signal) {
      folder ??= openFolder()
      const own = await mkdtemp(join(await folder, 'ref-'))
      const release = (): Promise<void> => rm(own, { recursive: true, force: true })
      const path = join(own, name)
      try {
        await pipeline(bytes, createWriteStream(path, { mode: 0o600, flags: 'wx' }), { signal })
      } catch (error) {
        await release()
        throw error
      }
      return { path, release }
    },
    async close() {
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
}

async function openFolder(): Promise<string> {
  await clearDead(tmpdir())
  const folder = join(tmpdir(), `${PREFIX}${markWriter()}`)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

/** Removes files of processes that were killed: they are plain copies of content that may be sealed or expire. */
async function clearDead(place: string): Promise<void> {
  const names = (await readdir(place)).filter(
    (name) => name.startsWith(PREFIX) && livenessOfWriter(name.slice(PREFIX.length)) === 'dead',
  )
  await Promise.allSettled(
    names.map(async (name) => {
      const path = join(place, name)
      const found = await lstat(path)
      // The folder is shared by all users: files of other users and targets of links are not touched.
      if (found.isDirectory() && found.uid === process.getuid?.())
        await rm(path, { recursive: true, force: true })
    }),
  )
}
