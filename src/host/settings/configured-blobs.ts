import { dirname, resolve } from 'node:path'
import type { BlobStore } from '../../storage/blobs/blob-store.js'
import { blobError } from '../../storage/blobs/blob-error.js'
import { fileBlobs } from '../../storage/blobs/files/file-blobs.js'
import { memoryBlobs } from '../../storage/blobs/memory/memory-blobs.js'
import { s3Blobs } from '../../storage/blobs/s3/s3-blobs.js'
import type { CribSettings } from '../crib-settings.js'

/**
 * The blob store that a config file names; undefined where it names none. Keys are never in the file: it names the
 * variables that contain them.
 */
export function configuredBlobs({ config, configPath }: CribSettings): BlobStore | undefined {
  const { blobs = {} } = config
  switch (blobs.kind ?? 'files') {
    case 'memory':
      return memoryBlobs()
    case 'files':
      return blobs.path === undefined
        ? undefined
        : fileBlobs({ path: resolve(dirname(configPath ?? '.'), blobs.path) })
    case 's3':
      return openS3(blobs)
  }
}

function openS3({
  bucket,
  endpoint,
  region,
  prefix,
  accessKeyIdVariable = 'AWS_ACCESS_KEY_ID',
  secretAccessKeyVariable = 'AWS_SECRET_ACCESS_KEY',
  sessionTokenVariable = 'AWS_SESSION_TOKEN',
}: NonNullable<CribSettings['config']['blobs']>): BlobStore {
  const { env } = process
  const missing = [accessKeyIdVariable, secretAccessKeyVariable].filter((name) => !env[name])
  if (missing.length > 0)
    throw blobError(
      'toolcrib.blob_invalid',
      `The blobs of this config are in a bucket, and its keys are not there: set ${missing.join(' and ')}.`,
    )
  const keys = {
    accessKeyId: env[accessKeyIdVariable],
    secretAccessKey: env[secretAccessKeyVariable],
    sessionToken: env[sessionTokenVariable],
  }
  const place = { endpoint, region, prefix, ...keys }
  const given = Object.entries(place).filter(([, value]) => value !== undefined)
  return s3Blobs({ bucket: bucket!, ...(Object.fromEntries(given) as Partial<typeof place>) } as Parameters<
    typeof s3Blobs
  >[0])
}
