import { errorMessage } from '../../platform/text/error-message.js'
import { isBlobError, type BlobErrorCode } from '../../storage/blobs/blob-error.js'
import { cleanText, type Cleaned } from '../secrets/clean.js'

/** The original messages name folders and addresses, which a model should not see. */
const BARE: Partial<Record<BlobErrorCode, string>> = {
  'toolcrib.blobs_full': 'there is no space left for blobs',
  'toolcrib.blobs_read_only': 'the blob store cannot be written',
  'toolcrib.blobs_unreachable': 'the blob store cannot be reached',
  'toolcrib.blobs_failed': 'the blob store failed',
}

/** Why bytes were not stored, in a text for any reader. */
export function storageProblem(error: unknown, run: Cleaned): string {
  const bare = isBlobError(error) ? BARE[error.code] : undefined
  if (bare !== undefined) return `${bare} (${(error as { code: string }).code})`
  return cleanText(errorMessage(error), run)
}
