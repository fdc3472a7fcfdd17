import type { Found } from './found.js'
import { MARGIN_BYTES, toLineWindows, type LineWindow } from './line-windows.js'
import { codePointStart } from '../measure-text.js'
import { createPatternWorker, type PatternHit } from '../../../platform/text/pattern-worker.js'
import type { PayloadSource } from '../payload-source.js'
import { readChunks, readRange } from '../read-chunks.js'

const LINE_FEED = 0x0a
/** An expression may match at every byte: the matches of one batch must fit the thread's memory. */
const BATCH_BYTES = 128 * 1024

export interface PatternSearch {
  pattern: RegExp
  after: number
  maxLineMs: number
  signal?: AbortSignal | undefined
}

/** Every match of a regular expression, line by line; it never sees more than a window of a long line. */
export async function* findPattern(source: PayloadSource, search: PatternSearch): AsyncGenerator<Found> {
  const { after, signal } = search
  const worker = createPatternWorker(search.pattern, search)
  try {
    // The text before on the same line decides whether ^ or a lookbehind matches.
    let bytes = await beginningOfLine(source, after, signal)
    let offset = after - bytes.length
    let from = bytes.length
    const unseen = createOverlapFilter()
    for await (const chunk of inBatches(
      readChunks(source, { start: after, end: source.sizeBytes }, signal),
    )) {
      bytes = Buffer.concat([bytes, chunk])
      const isLast = offset + bytes.length === source.sizeBytes
      const cut = toLineWindows({ bytes, offset, from, isLast })
      const { hits, slowAt } = await worker.run(cut.windows)
      for (const match of toMatches(cut.windows, hits)) if (unseen(match)) yield match
      if (slowAt !== undefined) {
        for await (const found of beforeSlow(cut.windows, slowAt, search)) if (unseen(found)) yield found
        return
      }
      yield { kind: 'scanned', upTo: offset + cut.from }
      const keepFrom = lineStartNear(bytes, cut.from)
      bytes = Buffer.from(bytes.subarray(keepFrom))
      offset += keepFrom
      from = cut.from - keepFrom
    }
  } finally {
    await worker.close()
  }
}

async function* inBatches(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += BATCH_BYTES) yield chunk.subarray(at, at + BATCH_BYTES)
  }
}

/** Windows of a long line overlap: a match that began in one may be found again from its middle in the next. */
function createOverlapFilter(): (found: Found) => boolean {
  let matchedUpTo = 0
  return (found) => {
    if (found.kind !== 'match') return true
    if (found.offset < matchedUpTo) return false
    matchedUpTo = found.offset + found.length
    return true
  }
}

/** Matches before the slow window were lost with its thread, and are searched again. */
async function* beforeSlow(
  windows: readonly LineWindow[],
  slowAt: number,
  search: PatternSearch,
): AsyncGenerator<Found> {
  const worker = createPatternWorker(search.pattern, search)
  try {
    const { hits, slowAt: stillSlowAt } = await worker.run(windows.slice(0, slowAt))
    yield* toMatches(windows, hits)
    const { offset, upTo } = windows[stillSlowAt ?? slowAt]!
    yield { kind: 'slow', offset, upTo }
  } finally {
    await worker.close()
  }
}

/** The beginning of the line before `end`, or as much of it as a window looks back. */
async function beginningOfLine(source: PayloadSource, end: number, signal?: AbortSignal): Promise<Buffer> {
  // One more byte shows whether a line begins there, three more where a code point does.
  const start = Math.max(0, end - MARGIN_BYTES - 4)
  const before = await readRange(source, { start, end }, signal)
  return before.subarray(lineStartNear(before, before.length))
}

function lineStartNear(bytes: Buffer, from: number): number {
  const lowest = codePointStart(bytes, Math.max(0, from - MARGIN_BYTES))
  return lowest + bytes.subarray(lowest, from).lastIndexOf(LINE_FEED) + 1
}

function* toMatches(
  windows: readonly LineWindow[],
  hits: readonly PatternHit[],
): Generator<Extract<Found, { kind: 'match' }>> {
  let counted = { windowIndex: -1, units: 0, bytes: 0 }
  for (const { windowIndex, start, end } of hits) {
    const window = windows[windowIndex]!
    if (counted.windowIndex !== windowIndex) counted = { windowIndex, units: 0, bytes: 0 }
    const bytes = counted.bytes + lengthOf(window, counted.units, start)
    const length = lengthOf(window, start, Math.min(end, window.ownChars))
    yield { kind: 'match', offset: window.offset + bytes, length }
    counted = { windowIndex, units: start, bytes }
  }
}

function lengthOf({ text, isUtf8 }: LineWindow, start: number, end: number): number {
  return isUtf8 ? Buffer.byteLength(text.slice(start, end)) : end - start
}
