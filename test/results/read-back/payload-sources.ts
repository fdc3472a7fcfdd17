import { createReadStream, openSync, closeSync, readSync, fstatSync } from 'node:fs'
import type { LineIndex, LineStart, PayloadSource } from '../../../src/results/read-back/payload-source.js'

export interface CountingSource extends PayloadSource {
  bytesRead: number
}

interface Options {
  mediaType?: string
  /** The interval of indexed line starts in bytes; without it there is no index. */
  indexEveryBytes?: number
  chunkBytes?: number
}

export function bytesSource(content: string | Uint8Array, options: Options = {}): CountingSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
  const chunkBytes = options.chunkBytes ?? 64 * 1024
  const source: CountingSource = {
    sizeBytes: bytes.length,
    mediaType: options.mediaType,
    bytesRead: 0,
    lines: options.indexEveryBytes ? toIndex([bytes], options.indexEveryBytes) : undefined,
    async *read(start, end) {
      for (let at = start; at < end; at += chunkBytes) {
        const chunk = bytes.subarray(at, Math.min(end, at + chunkBytes))
        source.bytesRead += chunk.length
        yield chunk
      }
    },
  }
  return source
}

export function fileSource(path: string, options: Options = {}): CountingSource {
  const descriptor = openSync(path, 'r')
  const sizeBytes = fstatSync(descriptor).size
  const lines = options.indexEveryBytes ? toIndex(chunksOf(descriptor), options.indexEveryBytes) : undefined
  closeSync(descriptor)
  const source: CountingSource = {
    sizeBytes,
    mediaType: options.mediaType,
    bytesRead: 0,
    lines,
    async *read(start, end) {
      for await (const chunk of createReadStream(path, { start, end: end - 1 })) {
        source.bytesRead += (chunk as Buffer).length
        yield chunk as Buffer
      }
    },
  }
  return source
}

function* chunksOf(descriptor: number): Generator<Buffer> {
  for (;;) {
    const chunk = Buffer.alloc(1024 * 1024)
    const count = readSync(descriptor, chunk)
    if (count === 0) return
    yield chunk.subarray(0, count)
  }
}

/** Built from the bytes: the first line start in every interval. */
function toIndex(chunks: Iterable<Buffer>, everyBytes: number): LineIndex {
  const starts: LineStart[] = [{ offset: 0, line: 1 }]
  let offset = 0
  let line = 1
  let lastByte: number | undefined
  for (const chunk of chunks) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
      line++
      const start = offset + at + 1
      if (start - starts.at(-1)!.offset >= everyBytes) starts.push({ offset: start, line })
    }
    offset += chunk.length
    lastByte = chunk.at(-1) ?? lastByte
  }
  const lineCount = offset === 0 ? 0 : lastByte === 10 ? line - 1 : line
  return {
    lineCount,
    positionOfLine: (wanted) => starts.findLast((start) => start.line <= wanted)!,
    lineAtOffset: (wanted) => starts.findLast((start) => start.offset <= wanted)!,
  }
}
