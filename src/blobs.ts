export { fileBlobs, type FileBlobsOptions } from './storage/blobs/files/file-blobs.js'
export { memoryBlobs } from './storage/blobs/memory/memory-blobs.js'
export { s3Blobs } from './storage/blobs/s3/s3-blobs.js'
export type { S3BlobsOptions } from './storage/blobs/s3/s3-settings.js'
export { isBlobError, type BlobError, type BlobErrorCode } from './storage/blobs/blob-error.js'
export type {
  BlobReadOptions,
  BlobRemoveOptions,
  BlobStat,
  CommittedBlob,
  BlobStore,
  BlobUsage,
  BlobWriter,
} from './storage/blobs/blob-store.js'
export { limitBlobs, type BlobLimits } from './storage/blobs/limit-blobs.js'
export {
  createLineIndex,
  lineAtOffset,
  positionOfLine,
  readLineIndex,
  type LineIndex,
  type LineIndexBuilder,
  type LinePosition,
} from './storage/blobs/line-index.js'
export { sealBytes } from './storage/blobs/sealing/seal-bytes.js'
export { unsealBytes } from './storage/blobs/sealing/unseal-bytes.js'
