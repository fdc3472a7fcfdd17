import { blobError } from './blob-error.js'

/** Where a line begins. Lines count from 1, bytes from 0. */
export interface LinePosition {
  offset: number
  line: number
}

/** Where some of the lines of a text begin: few enough to store beside it, close enough to read on from. */
export interface LineIndex {
  /** A last line without a line end counts; an empty text has none. */
  readonly lineCount: number
  readonly sizeBytes: number
  /** In order, and the same number of both. */
  readonly offsets: Float64Array
  readonly lines: Float64Array
  toBytes(): Uint8Array
}

export interface LineIndexBuilder {
  push(chunk: Uint8Array): void
  end(): LineIndex
}

const SPACING_BYTES = 64 * 1024
const LINE_FEED = 10

/** Built while the text is written. A line of any length is one line: the next position is known after its end. */
export function createLineIndex(): LineIndexBuilder {
  const offsets: number[] = [0]
  const lines: number[] = [1]
  let sizeBytes = 0
  let ends = 0
  let lastEnd = -1
  let lastOffset = 0

  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
        ends++
        lastEnd = sizeBytes + at
        if (lastEnd + 1 - lastOffset < SPACING_BYTES) continue
        lastOffset = lastEnd + 1
        offsets.push(lastOffset)
        lines.push(ends + 1)
      }
      sizeBytes += bytes.length
    },
    end() {
      // There may be no further line after the last line end.
      const known = offsets.at(-1) === sizeBytes ? offsets.length - 1 : offsets.length
      return makeIndex({
        lineCount: lastEnd + 1 === sizeBytes ? ends : ends + 1,
        sizeBytes,
        offsets: Float64Array.from(offsets.slice(0, known)),
        lines: Float64Array.from(lines.slice(0, known)),
      })
    },
  }
}

/** The nearest known line that begins at or before the wanted one. */
export function positionOfLine(index: LineIndex, line: number): LinePosition {
  return positionAt(index, lastAtOrBelow(index.lines, line))
}

/** The nearest known line that begins at or before the byte. */
export function lineAtOffset(index: LineIndex, offset: number): LinePosition {
  return positionAt(index, lastAtOrBelow(index.offsets, offset))
}

function positionAt({ offsets, lines }: LineIndex, number: number): LinePosition {
  return { offset: offsets[number] ?? 0, line: lines[number] ?? 1 }
}

function lastAtOrBelow(sorted: Float64Array, wanted: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= wanted) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

// A magic number and a format version.
const HEADER = Buffer.from('TCLI\u0001', 'latin1')

function makeIndex(known: Omit<LineIndex, 'toBytes'>): LineIndex {
  return { ...known, toBytes: () => toBytes(known) }
}

/** Numbers with seven bits a byte, positions as distances from the previous one: about five bytes for each. */
function toBytes({ lineCount, sizeBytes, offsets, lines }: Omit<LineIndex, 'toBytes'>): Uint8Array {
  const bytes: number[] = [...HEADER]
  for (const number of [lineCount, sizeBytes, offsets.length]) writeNumber(bytes, number)
  for (let at = 0; at < offsets.length; at++) {
    writeNumber(bytes, offsets[at]! - (offsets[at - 1] ?? 0))
    writeNumber(bytes, lines[at]! - (lines[at - 1] ?? 0))
  }
  return Uint8Array.from(bytes)
}

function writeNumber(bytes: number[], number: number): void {
  let rest = number
  // No bit shifts: they work on 32 bits only.
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}

/** Fails for anything that is not an index, and for one that was truncated or contradicts itself. */
export function readLineIndex(bytes: Uint8Array): LineIndex {
  if (!HEADER.equals(bytes.subarray(0, HEADER.length))) throw brokenIndex()
  let at = HEADER.length

  function readNumber(): number {
    let number = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      if (byte === undefined) throw brokenIndex()
      number += (byte % 128) * factor
      if (!Number.isSafeInteger(number)) throw brokenIndex()
      if (byte < 128) return number
    }
  }

  const [lineCount, sizeBytes, length] = [readNumber(), readNumber(), readNumber()]
  // Each position takes at least two bytes: a larger count is invalid and must not allocate memory.
  if (length * 2 > bytes.length) throw brokenIndex()
  const [offsets, lines] = [new Float64Array(length), new Float64Array(length)]
  for (let place = 0; place < length; place++) {
    offsets[place] = (offsets[place - 1] ?? 0) + readNumber()
    lines[place] = (lines[place - 1] ?? 0) + readNumber()
  }
  const isWithin = (offsets.at(-1) ?? 0) <= sizeBytes && (lines.at(-1) ?? 0) <= lineCount
  if (at !== bytes.length || !isWithin) throw brokenIndex()
  return makeIndex({ lineCount, sizeBytes, offsets, lines })
}

function brokenIndex(): Error {
  return blobError(
    'toolcrib.blob_corrupt',
    'This is no index of lines, or only a part of one; make it again from the text.',
  )
}
