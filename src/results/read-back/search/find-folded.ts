import { isUtf8 } from 'node:buffer'
import type { Found } from './found.js'
import { codePointSize, codePointStart } from '../measure-text.js'
import type { PayloadSource } from '../payload-source.js'
import { readChunks } from '../read-chunks.js'

/** Cases of a letter may differ in length: K is one byte, the Kelvin sign that folds to it three. */
const MAX_CODE_POINT_BYTES = 4

/** Every occurrence of the text in any case (Unicode simple folding: one code point to one). */
export async function* findFolded(
  source: PayloadSource,
  { text, after, signal }: { text: string; after: number; signal?: AbortSignal | undefined },
): AsyncGenerator<Found> {
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu')
  const overlap = [...text].length * MAX_CODE_POINT_BYTES
  let base = after
  let kept = Buffer.alloc(0)
  for await (const chunk of readChunks(source, { start: after, end: source.sizeBytes }, signal)) {
    const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
    let from = 0
    for (const { at, length } of matchesIn(bytes, pattern)) {
      yield { kind: 'match', offset: base + at, length }
      from = at + length
    }
    const keepFrom = Math.max(from, codePointStart(bytes, Math.max(0, bytes.length - overlap)))
    kept = Buffer.from(bytes.subarray(keepFrom))
    base += keepFrom
    yield { kind: 'scanned', upTo: base }
  }
}

function* matchesIn(bytes: Buffer, pattern: RegExp): Generator<{ at: number; length: number }> {
  for (const { start, end } of textRuns(bytes)) {
    const text = bytes.toString('utf8', start, end)
    let at = start
    let counted = 0
    for (const match of text.matchAll(pattern)) {
      at += Buffer.byteLength(text.slice(counted, match.index))
      const length = Buffer.byteLength(match[0])
      yield { at, length }
      at += length
      counted = match.index + match[0].length
    }
  }
}

/** The runs of valid UTF-8: a replacement character for invalid bytes would shift all offsets after it. */
function* textRuns(bytes: Buffer): Generator<{ start: number; end: number }> {
  // A code point that is split by the chunk's end comes again with the next chunk.
  const whole = wholeLength(bytes)
  if (isUtf8(bytes.subarray(0, whole))) {
    yield { start: 0, end: whole }
    return
  }
  let start = 0
  let at = 0
  while (at < bytes.length) {
    const size = codePointSize(bytes, at)
    if (size !== 0 && size !== 'cut') {
      at += size
      continue
    }
    if (at > start) yield { start, end: at }
    at++
    start = at
  }
  if (at > start) yield { start, end: at }
}

function wholeLength(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 0 && at >= bytes.length - 3; at--) {
    if (codePointSize(bytes, at) === 'cut') return at
  }
  return bytes.length
}
