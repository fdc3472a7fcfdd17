import { isUtf8 } from 'node:buffer'
import type { ContentBlock } from '../../contract/objects/tool-result.js'
import type { Tally } from '../../redaction/redactor.js'
import { isTextType } from '../../results/payloads/media-type.js'
import { bytesAsText } from './bytes-as-text.js'
import type { MappedRun } from './mask-ports.js'

interface Cleaning {
  block: ContentBlock
  run: MappedRun
  counts: Tally
}

/** A block's redacted bytes, and whether something was removed. */
export interface CleanData {
  fields: Pick<ContentBlock, 'data' | 'size_bytes'>
  isRedacted: boolean
}

/**
 * Redacts the bytes of a block and returns them as plain base64, whatever their encoding was. The bytes of a text are
 * searched for anything that looks like a secret. In a picture or an archive much looks like a key, so only exact
 * matches of known secrets are removed.
 */
export function cleanData(data: string, given: Cleaning): CleanData {
  const { run, counts } = given
  const bytes = decode(data)
  // Some tools put a text in the place of bytes, and a key can look like base64.
  const words = bytes && data.length > KEY_CHARS ? data : run.redactor.text(data, run.secrets, counts)
  if (!bytes || words !== data) return encode(Buffer.from(words), { ...given, isRedacted: words !== data })
  const cleaned = cleanBytes(bytes, given)
  return encode(cleaned, { ...given, isRedacted: cleaned !== bytes })
}

/** Only a shorter text of base64 characters can be a key. */
const KEY_CHARS = 256

function encode(bytes: Buffer, { block, isRedacted }: Cleaning & { isRedacted: boolean }): CleanData {
  const isSized = isRedacted && block.size_bytes !== undefined
  return {
    fields: { data: bytes.toString('base64'), ...(isSized && { size_bytes: bytes.length }) },
    isRedacted,
  }
}

/** Accepts base64 with line breaks, in its URL-safe form, or as a data URL. */
function decode(data: string): Buffer | undefined {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') === data) return bytes
  const bare = data
    .replace(/^data:[^,]{0,200};base64,/i, '')
    .replaceAll(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={0,2}$/, '')
  return bare.length % 4 !== 1 && /^[A-Za-z0-9+/]*$/.test(bare) ? Buffer.from(bare, 'base64') : undefined
}

function cleanBytes(bytes: Buffer, { block, run, counts }: Cleaning): Buffer {
  const isWritten = isUtf8(bytes)
  const isText = isTextType(block.media_type ?? '') || (isWritten && !hasNul(bytes))
  // With one character per byte, no byte is lost that is not valid UTF-8.
  const encoding = isText && isWritten ? 'utf8' : 'latin1'
  const text = bytes.toString(encoding)
  const secrets = encoding === 'utf8' ? run.secrets : bytesAsText(run)
  const clean = (isText ? run.redactor : run.ports.exactRedactor).text(text, secrets, counts)
  return clean === text ? bytes : Buffer.from(clean, encoding)
}

const SNIFFED_BYTES = 8192

/** Content that reads as text is searched as text, whatever media type the tool gives it. */
function hasNul(bytes: Buffer): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0)
}
