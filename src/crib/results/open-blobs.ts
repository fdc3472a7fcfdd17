import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobStore } from '../../storage/blobs/blob-store.js'
import type { Store } from '../../storage/store.js'
import { defaultStateFolder } from '../../storage/default-store.js'

const MAX_BYTES = 10 * 1024 ** 3
const MAX_MEMORY_BYTES = 256 * 1024 ** 2

/** A blob store that is opened on first use: most programs store nothing large. */
export interface LazyBlobs {
  /** The location, whether or not it exists. */
  readonly location: string
  open(): Promise<BlobStore>
  /** Whether it may contain anything: opening a missing store would create it. */
  mayHold(): boolean
  close(): Promise<void>
}

/** Beside the records: an ephemeral store has its blobs in memory, a file has a folder next to it. */
export function lazyBlobs(
  store: Store,
  given: BlobStore | undefined,
  { maxBytes, makeRoom }: { maxBytes: number | undefined; makeRoom(tenant: string): Promise<void> },
): LazyBlobs {
  const isEphemeral = (given ?? store).isEphemeral ?? false
  const location = given?.location ?? blobsBeside(store)
  const tenantBytes = maxBytes ?? (isEphemeral ? MAX_MEMORY_BYTES : MAX_BYTES)
  let opening: Promise<BlobStore> | undefined

  async function openNow(): Promise<BlobStore> {
    const blobs = given ?? (await makeBlobs(isEphemeral ? undefined : location))
    await blobs.open()
    const { limitBlobs } = await import('../../storage/blobs/limit-blobs.js')
    return limitBlobs(blobs, () => ({ tenantBytes }), makeRoom)
  }

  return {
    location,
    mayHold: () => opening !== undefined || given !== undefined || (!isEphemeral && existsSync(location)),
    open: () => (opening ??= openNow()),
    async close() {
      const opened = await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}

/** The location of a store's blobs: next to its main file, if it has one. */
export function blobsBeside(store: Store): string {
  if (store.isEphemeral) return 'memory'
  const [main] = store.files()
  return main === undefined
    ? join(defaultStateFolder(undefined), 'blobs')
    : `${main.replace(/\.db$/, '')}.blobs`
}

async function makeBlobs(path: string | undefined): Promise<BlobStore> {
  if (path === undefined) {
    const { memoryBlobs } = await import('../../storage/blobs/memory/memory-blobs.js')
    return memoryBlobs()
  }
  const { fileBlobs } = await import('../../storage/blobs/files/file-blobs.js')
  return fileBlobs({ path })
}
