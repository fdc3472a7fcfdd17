import { truncate } from '../../../../platform/text/truncate.js'

/** Lines of a text, as many as fit. */
export interface TextPage {
  readonly lines: readonly string[]
  /** The number of the first line, from 1. */
  readonly startLine: number
  /** How many lines the text has. */
  readonly totalLines: number
  /** Lines of which only the beginning is shown: their numbers, and the byte at which the line starts. */
  readonly cut: readonly { readonly line: number; readonly byte: number }[]
}

export interface PageRequest {
  /** From 1; below zero from the end. */
  readonly startLine: number
  readonly maxLines: number
  readonly maxChars: number
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** A longer line is cut: it would fill the page, and is rarely read as a whole. */
const MAX_LINE_CHARS = 2000

/** Cuts a page out of UTF-8 bytes. Only the lines of the page become text. */
export function cutPage(bytes: Buffer, { startLine, maxLines, maxChars }: PageRequest): TextPage {
  const totalLines = countLines(bytes)
  const first = startLine > 0 ? startLine : Math.max(1, totalLines + 1 + startLine)
  const lines: string[] = []
  const cut: { line: number; byte: number }[] = []
  let byte = startOfLine(bytes, first)
  let chars = 0
  while (byte !== -1 && byte < bytes.length && lines.length < maxLines) {
    const end = bytes.indexOf(LINE_FEED, byte)
    const line = lineText(bytes, byte, end === -1 ? bytes.length : end)
    chars += line.text.length + LINE_OVERHEAD
    if (chars > maxChars && lines.length > 0) break
    if (line.isCut) cut.push({ line: first + lines.length, byte })
    lines.push(line.text)
    byte = end === -1 ? -1 : end + 1
  }
  return { lines, startLine: first, totalLines, cut }
}

/** The number of a line, its tab and its end. */
const LINE_OVERHEAD = 8

function lineText(bytes: Buffer, start: number, end: number): { text: string; isCut: boolean } {
  const stop = end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end
  // A character has at most four bytes.
  const most = start + MAX_LINE_CHARS * 4
  const text = bytes.toString('utf8', start, Math.min(stop, most))
  const isCut = stop > most || text.length > MAX_LINE_CHARS
  return { text: isCut ? truncate(text, MAX_LINE_CHARS) : text, isCut }
}

function startOfLine(bytes: Buffer, line: number): number {
  let at = 0
  for (let left = line - 1; left > 0; left--) {
    const end = bytes.indexOf(LINE_FEED, at)
    if (end === -1) return -1
    at = end + 1
  }
  return at
}

/** A text that does not end with a line feed has one line more than line feeds. */
export function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return bytes.length > 0 && bytes.at(-1) !== LINE_FEED ? count + 1 : count
}

/** Each line with its number, as `cat -n` shows them. */
export function withNumbers(lines: readonly string[], startLine: number): string {
  const width = String(startLine + lines.length - 1).length
  return lines.map((line, index) => `${String(startLine + index).padStart(width)}\t${line}`).join('\n')
}
