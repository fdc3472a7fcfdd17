import { isUtf8 } from 'node:buffer'
import type { ContentBlock } from '../../contract/objects/tool-result.js'
import type { Tally } from '../../redaction/redactor.js'
import { isTextType } from '../../results/payloads/media-type.js'
import { bytesAsText } from './bytes-as-text.js'
import type { CallRun } from '../call-run.js'

interface Cleaning {
  block: ContentBlock
  run: CallRun
  counts: Tally
}

/** What is left of a block's bytes, and whether something was taken out of them. */
export interface CleanData {
  fields: Pick<ContentBlock, 'data' | 'size_bytes'>
  isRedacted: boolean
}

/**
 * The bytes of a block without anything secret, as plain base64 whichever way they were written. Those of a text are
 * searched like any other; in those of a picture or an archive much looks like a key, so that only what is known word for
 * word is taken out.
 */
export function cleanData(data: string, given: Cleaning): CleanData {
  const { run, counts } = given
  const bytes = decode(data)
  // Some tools put a text where bytes belong, and a key can look like bytes.
  const words = bytes && data.length > KEY_CHARS ? data : run.redactor.text(data, run.secrets, counts)
  if (!bytes || words !== data) return encode(Buffer.from(words), { ...given, isRedacted: words !== data })
  const cleaned = cleanBytes(bytes, given)
  return encode(cleaned, { ...given, isRedacted: cleaned !== bytes })
}

/** No key is longer than this and nothing but letters, digits and the signs of base64. */
const KEY_CHARS = 256

function encode(bytes: Buffer, { block, isRedacted }: Cleaning & { isRedacted: boolean }): CleanData {
  const isSized = isRedacted && block.size_bytes !== undefined
  return {
    fields: { data: bytes.toString('base64'), ...(isSized && { size_bytes: bytes.length }) },
    isRedacted,
  }
}

/** Broken into lines, made for addresses or with the head of a data address, it is still base64. */
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
  // Where each character is one byte, nothing is lost of what is no UTF-8.
  const encoding = isText && isWritten ? 'utf8' : 'latin1'
  const text = bytes.toString(encoding)
  const secrets = encoding === 'utf8' ? run.secrets : bytesAsText(run)
  const clean = (isText ? run.redactor : run.ports.exactRedactor).text(text, secrets, counts)
  return clean === text ? bytes : Buffer.from(clean, encoding)
}

const SNIFFED_BYTES = 8192

/** Whatever a tool calls it: what reads as a text is searched as one. */
function hasNul(bytes: Buffer): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0)
}
