import { closedBlobs } from '../blob-error.js'
import type { BlobStore } from '../blob-store.js'
import { resolveS3Settings, type S3BlobsOptions } from './s3-settings.js'

/**
 * Stores blobs in a bucket of any S3-compatible server. A blob is written to a local file first, since its key is known
 * only at its end. Times are the server's, in whole seconds.
 */
export function s3Blobs(options: S3BlobsOptions): BlobStore {
  const settings = resolveS3Settings(options, process.env)
  let opened: BlobStore | undefined
  let isClosed = false

  function store(): BlobStore {
    if (!opened || isClosed) throw closedBlobs(isClosed)
    return opened
  }

  return {
    name: 's3',
    location: settings.location,
    async open() {
      if (isClosed) throw closedBlobs(true)
      if (opened) return
      // A process that stores blobs in files never loads this code.
      const { openS3Blobs } = await import('./open-s3-blobs.js')
      opened = await openS3Blobs(settings, options.spoolFolder)
    },
    create: async (tenant) => store().create(tenant),
    stat: async (tenant, digest) => store().stat(tenant, digest),
    async *read(tenant, digest, readOptions) {
      yield* store().read(tenant, digest, readOptions)
    },
    localPath: async (tenant, digest) => store().localPath?.(tenant, digest),
    remove: async (tenant, digest, removeOptions) => store().remove(tenant, digest, removeOptions),
    async *list(tenant) {
      yield* store().list(tenant)
    },
    usage: async (tenant) => store().usage(tenant),
    async close() {
      isClosed = true
      await opened?.close()
    },
  }
}
