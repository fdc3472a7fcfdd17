import { isAscii, isUtf8 } from 'node:buffer'
import { codePointStart } from '../measure-text.js'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** An expression sees at most so much of a line at once. */
const WINDOW_BYTES = 10_000
/** What a window sees before and behind the places where its matches may begin. */
export const MARGIN_BYTES = 1000

const MAX_CODE_POINT_BYTES = 4

/** A piece of a line for an expression, with its place in the payload. */
export interface LineWindow {
  text: string
  /** Of the text that stands in the payload. */
  ownChars: number
  /** UTF-16 units: matches are wanted from `from` up to, not including, `until`. */
  from: number
  until: number
  /** Of the first byte. */
  offset: number
  /** Up to where the line is dealt with after this window. */
  upTo: number
  isUtf8: boolean
}

export interface Lines {
  bytes: Buffer
  /** Of the first byte in the payload. */
  offset: number
  /** Where matches are wanted from: what lies before is only seen. */
  from: number
  /** Nothing follows. */
  isLast: boolean
}

interface Decoded {
  /** Of the first byte in the payload. */
  offset: number
  /** All of the bytes, when each of them is a character. */
  ascii: string | undefined
}

/** Cuts into lines, and long lines into windows that overlap. The end of an unfinished line is left for later. */
export function toLineWindows(lines: Lines): { windows: LineWindow[]; from: number } {
  const { bytes, isLast } = lines
  // Most logs are: then one decoding does for all lines, and characters need no counting.
  const ascii = isAscii(bytes) ? bytes.toString('latin1') : undefined
  const decoded = { ...lines, ascii }
  const windows: LineWindow[] = []
  let { from } = lines
  let lineStart = 0
  for (;;) {
    const feed = bytes.indexOf(LINE_FEED, Math.max(lineStart, from))
    const isWhole = feed !== -1 || isLast
    const lineEnd = feed === -1 ? bytes.length : feed
    if (feed === -1 && isLast && lineEnd <= from && lineEnd === lineStart) break
    from = cutLine(decoded, { lineStart, lineEnd, from: Math.max(from, lineStart), isWhole }, windows)
    if (feed === -1) break
    lineStart = feed + 1
    from = Math.max(from, lineStart)
  }
  return { windows, from }
}

/** Adds the windows of one line; returns up to where it is dealt with. */
function cutLine(
  { bytes, offset, ascii }: Lines & Decoded,
  line: { lineStart: number; lineEnd: number; from: number; isWhole: boolean },
  windows: LineWindow[],
): number {
  const { lineStart, lineEnd, isWhole } = line
  let { from } = line
  for (;;) {
    const isRest = isWhole && lineEnd - from <= WINDOW_BYTES
    if (!isWhole && lineEnd - from < WINDOW_BYTES + MAX_CODE_POINT_BYTES) return from
    const start = codePointStart(bytes, Math.max(lineStart, from - MARGIN_BYTES))
    const end = isRest ? withoutReturn(bytes, lineStart, lineEnd) : codePointStart(bytes, from + WINDOW_BYTES)
    const until = isRest ? lineEnd + 1 : codePointStart(bytes, from + WINDOW_BYTES - MARGIN_BYTES)
    windows.push(toWindow(bytes, { start, from, until, end, upTo: isRest ? lineEnd : until, offset, ascii }))
    if (isRest) return lineEnd
    from = until
  }
}

function toWindow(
  bytes: Buffer,
  at: { start: number; from: number; until: number; end: number; upTo: number } & Decoded,
): LineWindow {
  const isText = at.ascii !== undefined || isUtf8(bytes.subarray(at.start, at.end))
  const decode = (end: number) =>
    at.ascii?.slice(at.start, end) ?? bytes.toString(isText ? 'utf8' : 'latin1', at.start, end)
  const isLineEnd = at.until > at.end
  // The line goes on: without something behind the cut, $ would match there.
  const own = decode(at.end)
  const text = isLineEnd ? own : `${own}\n`
  return {
    text,
    ownChars: own.length,
    from: at.from === at.start ? 0 : decode(at.from).length,
    until: isLineEnd ? text.length + 1 : decode(at.until).length,
    offset: at.offset + at.start,
    upTo: at.offset + at.upTo,
    isUtf8: isText,
  }
}

function withoutReturn(bytes: Buffer, lineStart: number, lineEnd: number): number {
  return lineEnd > lineStart && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd
}
