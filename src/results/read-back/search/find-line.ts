import type { ReadLimits } from '../page.js'
import type { LineStart, PayloadSource } from '../payload-source.js'
import { readAhead, readChunks, readRange } from '../read-chunks.js'

const LINE_FEED = 0x0a
/** How far lines are counted in a payload without an index, from either end. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024
const STEP_BACK_BYTES = 64 * 1024

/** The start of a line; its number is unknown when it was counted from the end. */
export type FoundLine = { offset: number; line: number | undefined } | { problem: string }

/** Lines are counted from 1; below zero from the end, where a line before the first counts as the first. */
export async function findLine(source: PayloadSource, line: number, limits: ReadLimits): Promise<FoundLine> {
  const { lines } = source
  if (source.sizeBytes === 0) return { offset: 0, line: 1 }
  if (line > 0) return findFromStart(source, line, limits)
  if (lines) return findFromStart(source, Math.max(1, lines.lineCount + 1 + line), limits)
  return findFromEnd(source, -line, limits)
}

async function findFromStart(source: PayloadSource, line: number, limits: ReadLimits): Promise<FoundLine> {
  const { lines, sizeBytes } = source
  if (lines && line > lines.lineCount) return beyond(lines.lineCount)
  const known = lines?.positionOfLine(line) ?? { offset: 0, line: 1 }
  const end = lines ? sizeBytes : Math.min(sizeBytes, MAX_COUNTED_BYTES)
  const reached = await skipLines(source, { known, line, end }, limits)
  if (reached.line === line && reached.offset < sizeBytes) return { offset: reached.offset, line }
  if (end < sizeBytes)
    return {
      problem:
        `The payload has no line index, and its first ${end} bytes hold only ${reached.line} lines: ` +
        'read it by offset, or count lines from the end.',
    }
  return beyond(reached.offset < sizeBytes ? reached.line : reached.line - 1)
}

function beyond(lineCount: number): FoundLine {
  return { problem: `The payload has ${lineCount} lines: ask for a line from 1 to ${lineCount}.` }
}

/** The start of `line`, or the last line start before `end`. */
async function skipLines(
  source: PayloadSource,
  { known, line, end }: { known: LineStart; line: number; end: number },
  { signal }: ReadLimits,
): Promise<LineStart> {
  const reached = { ...known }
  if (reached.line === line) return reached
  let chunkOffset = known.offset
  for await (const chunk of readAhead(source, { start: known.offset, end }, signal)) {
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      reached.line++
      reached.offset = chunkOffset + at + 1
      if (reached.line === line) return reached
    }
    chunkOffset += chunk.length
  }
  return reached
}

async function findFromEnd(source: PayloadSource, count: number, limits: ReadLimits): Promise<FoundLine> {
  const { sizeBytes } = source
  const lowest = Math.max(0, sizeBytes - MAX_COUNTED_BYTES)
  let left = count
  // The line feed that ends the last line starts no further line.
  let end = sizeBytes - 1
  while (end > lowest) {
    const start = Math.max(lowest, end - STEP_BACK_BYTES)
    const block = await readRange(source, { start, end }, limits.signal)
    for (
      let at = block.lastIndexOf(LINE_FEED);
      at !== -1;
      at = at === 0 ? -1 : block.lastIndexOf(LINE_FEED, at - 1)
    ) {
      left--
      if (left === 0) return { offset: start + at + 1, line: undefined }
    }
    end = start
  }
  if (lowest === 0) return { offset: 0, line: 1 }
  return {
    problem:
      `The payload has no line index, and its last ${MAX_COUNTED_BYTES} bytes hold fewer than ${count} lines: ` +
      'read it by offset, with a negative one for its end.',
  }
}

/** Counts lines from match to match, from the nearest known line start. */
export function createLineCounter(
  source: PayloadSource,
  limits: ReadLimits,
): (offset: number) => Promise<number | undefined> {
  let known: LineStart = { offset: 0, line: 1 }
  return async (offset) => {
    const indexed = source.lines?.lineAtOffset(offset)
    if (indexed && indexed.offset > known.offset) known = indexed
    if (!source.lines && offset - known.offset > MAX_COUNTED_BYTES) return undefined
    let { line } = known
    for await (const chunk of readChunks(source, { start: known.offset, end: offset }, limits.signal)) {
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) line++
    }
    known = { offset, line }
    return line
  }
}
