import { isBinaryType } from './is-binary-type.js'
import { codePointStart, measureText, type TextMeasure } from './measure-text.js'
import {
  CLOSING_CHARS,
  CLOSING_SHARE,
  problemPage,
  type BinaryPage,
  type BytesRequest,
  type Page,
  type ReadLimits,
} from './page.js'
import type { PayloadSource } from './payload-source.js'
import { readRange } from './read-chunks.js'

/** Base64 is of little use to a model: enough to recognize or pass on a small file, not a full page. */
const BINARY_PAGE_BYTES = 6 * 1024
const STEP_BYTES = 4096
/** The most bytes of a code point on either side of one of its bytes. */
const REACH_BYTES = 3

export async function readBytes(
  source: PayloadSource,
  request: BytesRequest,
  limits: ReadLimits,
): Promise<Page> {
  const { sizeBytes } = source
  const asked = request.offset ?? 0
  const wanted = asked < 0 ? Math.max(0, sizeBytes + asked) : asked
  if (wanted > 0 && wanted >= sizeBytes)
    return problemPage(
      `The payload has ${sizeBytes} bytes: ask for an offset below that, or below zero for its end.`,
    )
  if (isBinaryType(source.mediaType)) return readBinary(source, { ...request, offset: wanted }, limits)
  const offset = await alignedOffset(source, wanted, limits)
  const end = Math.min(sizeBytes, wanted + Math.max(1, request.length ?? sizeBytes))
  const { bytes, measure } = await readText(
    source,
    { start: offset, end, maxChars: textChars(limits) },
    limits,
  )
  if (measure.bytes === 0 && sizeBytes > 0) return readBinary(source, { ...request, offset }, limits)
  const reached = offset + measure.bytes
  return {
    kind: 'text',
    text: bytes.toString('utf8', 0, measure.bytes),
    offset,
    length: measure.bytes,
    sizeBytes,
    lineCount: source.lines?.lineCount,
    lines: undefined,
    endsInsideLine: reached < sizeBytes && bytes[measure.bytes - 1] !== 0x0a,
    next: reached < sizeBytes ? { ...request, offset: reached } : undefined,
  }
}

/** The space that a page has for its content. */
export function textChars({ maxChars }: ReadLimits): number {
  return maxChars - Math.min(CLOSING_CHARS, Math.ceil(maxChars * CLOSING_SHARE))
}

async function alignedOffset(source: PayloadSource, offset: number, { signal }: ReadLimits): Promise<number> {
  if (offset === 0 || offset >= source.sizeBytes) return offset
  const start = Math.max(0, offset - REACH_BYTES)
  const end = Math.min(source.sizeBytes, offset + REACH_BYTES)
  const around = await readRange(source, { start, end }, signal)
  return start + codePointStart(around, offset - start)
}

/** Text from `start` on, read in steps: most text needs one byte per character, some needs three. */
export async function readText(
  source: PayloadSource,
  { start, end, maxChars }: { start: number; end: number; maxChars: number },
  { signal }: ReadLimits,
): Promise<{ bytes: Buffer; measure: TextMeasure }> {
  let bytes = Buffer.alloc(0)
  let measure: TextMeasure = { bytes: 0, chars: 0, stop: 'end' }
  let last = end
  for (;;) {
    const from = start + bytes.length
    // A length that ends inside the first code point still gets all of it: otherwise no page would make progress.
    if (from >= last && measure.bytes === 0 && measure.stop === 'cut')
      last = Math.min(source.sizeBytes, start + REACH_BYTES + 1)
    const to = Math.min(last, from + Math.max(STEP_BYTES, maxChars - measure.chars))
    if (from >= to) return { bytes, measure }
    bytes = Buffer.concat([bytes, await readRange(source, { start: from, end: to }, signal)])
    measure = measureText(bytes, maxChars)
    if (measure.stop === 'full' || measure.stop === 'not text') return { bytes, measure }
  }
}

async function readBinary(
  source: PayloadSource,
  request: BytesRequest & { offset: number },
  limits: ReadLimits,
): Promise<BinaryPage> {
  const { offset } = request
  const cap = Math.min(BINARY_PAGE_BYTES, Math.floor(textChars(limits) / 4) * 3)
  const wantedEnd = Math.min(source.sizeBytes, offset + Math.min(cap, Math.max(1, request.length ?? cap)))
  const readEnd = Math.min(source.sizeBytes, wantedEnd + REACH_BYTES)
  const bytes = await readRange(source, { start: offset, end: readEnd }, limits.signal)
  const length = isBinaryType(source.mediaType) ? wantedEnd - offset : binaryLength(bytes, wantedEnd - offset)
  const reached = offset + length
  return {
    kind: 'binary',
    base64: bytes.toString('base64', 0, length),
    mediaType: source.mediaType,
    offset,
    length,
    sizeBytes: source.sizeBytes,
    lineCount: source.lines?.lineCount,
    next: reached < source.sizeBytes ? { ...request, offset: reached } : undefined,
  }
}

/** Ends where the next page begins: that page may be text, and moves to the start of a code point. */
function binaryLength(bytes: Buffer, length: number): number {
  if (length >= bytes.length) return bytes.length
  return Math.max(1, codePointStart(bytes, length))
}
