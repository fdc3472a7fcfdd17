import { isBlobError, type BlobErrorCode } from '../../storage/blobs/blob-error.js'
import { cleanText, type Cleaned } from '../secrets/clean.js'

/** These name folders and addresses, which are nothing for a model. */
const BARE: Partial<Record<BlobErrorCode, string>> = {
  'toolcrib.blobs_full': 'there is no space left for blobs',
  'toolcrib.blobs_read_only': 'the blob store cannot be written',
  'toolcrib.blobs_unreachable': 'the blob store cannot be reached',
  'toolcrib.blobs_failed': 'the blob store failed',
}

/** Why bytes are nowhere, in words that may be told to anyone. */
export function whyNotKept(error: unknown, run: Cleaned): string {
  const bare = isBlobError(error) ? BARE[error.code] : undefined
  if (bare !== undefined) return `${bare} (${(error as { code: string }).code})`
  return cleanText(error instanceof Error ? error.message : String(error), run)
}
