/** Why a blob cannot be written or read. The code is its identity; the message says what to do. */
export const blobErrorCodes = [
  'toolcrib.blob_missing',
  'toolcrib.blob_corrupt',
  'toolcrib.blob_invalid',
  'toolcrib.blob_quota',
  'toolcrib.blob_sealed',
  'toolcrib.blobs_full',
  'toolcrib.blobs_read_only',
  'toolcrib.blobs_unreachable',
  'toolcrib.blobs_failed',
  'toolcrib.blobs_closed',
] as const
export type BlobErrorCode = (typeof blobErrorCodes)[number]

export interface BlobError extends Error {
  code: BlobErrorCode
}

export function blobError(code: BlobErrorCode, message: string, cause?: unknown): BlobError {
  return Object.assign(new Error(message, { cause }), { code })
}

export function isBlobError(error: unknown): error is BlobError {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && (blobErrorCodes as readonly string[]).includes(code)
}

/** Its bytes do not exist, or no longer. */
export function isMissingBlob(error: unknown): boolean {
  return isBlobError(error) && error.code === 'toolcrib.blob_missing'
}

export function missingBlob(hex: string): BlobError {
  return blobError(
    'toolcrib.blob_missing',
    `There is no blob sha256:${hex} here; it was never stored for this tenant, or its retention is over.`,
  )
}

export function corruptBlob(hex: string): BlobError {
  return blobError(
    'toolcrib.blob_corrupt',
    `What is stored as sha256:${hex} has other bytes than its digest says; remove it, and store the right bytes again.`,
  )
}

export function closedBlobs(wasOpened: boolean): BlobError {
  return blobError(
    'toolcrib.blobs_closed',
    wasOpened
      ? 'The blob store is closed; open a new one to go on.'
      : 'The blob store is not open yet; call open() first.',
  )
}

export function endedWriter(): BlobError {
  return blobError(
    'toolcrib.blob_invalid',
    'This blob was committed or aborted; create another to write more.',
  )
}
