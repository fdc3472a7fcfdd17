import type { Found } from './found.js'
import type { PayloadSource } from '../payload-source.js'
import { readChunks } from '../read-chunks.js'

/** Every place where the text stands, byte for byte. What a chunk's end may cut is looked at again with the next. */
export async function* findLiteral(
  source: PayloadSource,
  { text, after, signal }: { text: string; after: number; signal?: AbortSignal | undefined },
): AsyncGenerator<Found> {
  const needle = Buffer.from(text)
  let base = after
  let kept = Buffer.alloc(0)
  for await (const chunk of readChunks(source, { start: after, end: source.sizeBytes }, signal)) {
    const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
    let from = 0
    for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, from)) {
      yield { kind: 'match', offset: base + at, length: needle.length }
      from = at + needle.length
    }
    const keepFrom = Math.max(from, bytes.length - needle.length + 1, 0)
    kept = Buffer.from(bytes.subarray(keepFrom))
    base += keepFrom
    yield { kind: 'scanned', upTo: base }
  }
}
