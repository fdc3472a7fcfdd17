import { setImmediate } from 'node:timers/promises'
import type { PayloadSource } from './payload-source.js'

const CHUNK_BYTES = 1024 * 1024
const FIRST_STEP_BYTES = 32 * 1024
const BREATH_BYTES = 4 * CHUNK_BYTES

export interface Range {
  start: number
  end: number
}

/**
 * Reads a range of the payload in chunks of bounded size. Throws when aborted, and when the payload ends before its
 * stated size: a page with missing bytes would pass for the whole.
 */
export async function* readChunks(
  source: PayloadSource,
  { start, end }: Range,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let at = start
  let breathAt = start + BREATH_BYTES
  signal?.throwIfAborted()
  if (start >= end) return
  for await (const piece of source.read(start, end)) {
    for (let from = 0; from < piece.length && at < end; from += CHUNK_BYTES) {
      const to = Math.min(piece.length, from + CHUNK_BYTES, from + (end - at))
      at += to - from
      yield Buffer.from(piece.buffer, piece.byteOffset + from, to - from)
      signal?.throwIfAborted()
      if (at < breathAt) continue
      // A source in memory never waits for I/O: without this no other work would get a turn, not even an abort.
      await setImmediate()
      breathAt = at + BREATH_BYTES
    }
  }
  if (at < end) throw new Error(`The payload ended at byte ${at}, before its ${source.sizeBytes} bytes.`)
}

/** For readers that stop early: a source may read ahead, so the first requested ranges are small, and they grow. */
export async function* readAhead(
  source: PayloadSource,
  { start, end }: Range,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let step = FIRST_STEP_BYTES
  for (let at = start; at < end; step = Math.min(step * 2, CHUNK_BYTES)) {
    yield* readChunks(source, { start: at, end: Math.min(end, at + step) }, signal)
    at += step
  }
}

export async function readRange(source: PayloadSource, range: Range, signal?: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of readChunks(source, range, signal)) chunks.push(chunk)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}
