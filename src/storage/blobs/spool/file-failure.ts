import { blobError, isBlobError, type BlobError } from '../blob-error.js'

/** A failure of the file system, as one sentence that says what to do. */
export function fileFailure(error: unknown, path: string): BlobError {
  if (isBlobError(error)) return error
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return blobError(
        'toolcrib.blobs_full',
        `The disk that holds ${path} is full; free some space and store it again: nothing of it was kept.`,
        error,
      )
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return blobError(
        'toolcrib.blobs_read_only',
        `${path} cannot be written; give this user write access to the folder of the blob store.`,
        error,
      )
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return blobError(
        'toolcrib.blobs_unreachable',
        `${path} cannot be reached; name a folder for the blob store that this user may write to.`,
        error,
      )
    case 'ELOOP':
      return blobError(
        'toolcrib.blobs_failed',
        `${path} is a symbolic link, and a blob store follows none inside its folder; remove it.`,
        error,
      )
    default:
      return blobError('toolcrib.blobs_failed', `The blob store failed at ${path}: ${message}.`, error)
  }
}
