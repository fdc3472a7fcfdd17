export { fileBlobs, type FileBlobsOptions } from './foundation/stores/blobs/files/file-blobs.js'
export { memoryBlobs } from './foundation/stores/blobs/memory/memory-blobs.js'
export { s3Blobs } from './foundation/stores/blobs/s3/s3-blobs.js'
export type { S3BlobsOptions } from './foundation/stores/blobs/s3/s3-settings.js'
export { isBlobError, type BlobError, type BlobErrorCode } from './foundation/stores/blobs/blob-error.js'
export type {
  BlobReadOptions,
  BlobRemoveOptions,
  BlobStat,
  CommittedBlob,
  BlobStore,
  BlobUsage,
  BlobWriter,
} from './foundation/stores/blobs/blob-store.js'
export { limitBlobs, type BlobLimits } from './foundation/stores/blobs/limit-blobs.js'
export {
  createLineIndex,
  lineAtOffset,
  placeOfLine,
  readLineIndex,
  type LineIndex,
  type LineIndexBuilder,
  type LinePlace,
} from './foundation/stores/blobs/line-index.js'
export { sealBytes } from './foundation/stores/blobs/sealing/seal-bytes.js'
export { unsealBytes } from './foundation/stores/blobs/sealing/unseal-bytes.js'
