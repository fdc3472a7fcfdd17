import { isAscii, isUtf8 } from 'node:buffer'
import { codePointStart } from '../measure-text.js'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** The largest part of a line that an expression sees at once. */
const WINDOW_BYTES = 10_000
/** Context before and after the positions where a window's matches may begin. */
export const MARGIN_BYTES = 1000

const MAX_CODE_POINT_BYTES = 4

/** A part of a line for an expression, with its position in the payload. */
export interface LineWindow {
  text: string
  /** Length of the text that is in the payload. */
  ownChars: number
  /** UTF-16 units: matches may begin from `from` up to, not including, `until`. */
  from: number
  until: number
  /** Offset of the first byte. */
  offset: number
  /** The position up to which the line is done after this window. */
  upTo: number
  isUtf8: boolean
}

export interface Lines {
  bytes: Buffer
  /** Offset of the first byte in the payload. */
  offset: number
  /** Where matches may begin: earlier bytes are context. */
  from: number
  /** No bytes follow. */
  isLast: boolean
}

interface Decoded {
  /** Offset of the first byte in the payload. */
  offset: number
  /** All of the bytes as text, if they are ASCII. */
  ascii: string | undefined
}

/** Splits into lines, and long lines into overlapping windows. The end of an unfinished line is left for later. */
export function toLineWindows(lines: Lines): { windows: LineWindow[]; from: number } {
  const { bytes, isLast } = lines
  // Most logs are ASCII: then one decoding serves all lines, and characters need no counting.
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

/** Adds the windows of one line; returns the position up to which it is done. */
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
  // The line continues: without text after the cut, $ would match there.
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
