import { isUtf8 } from 'node:buffer'
import { firstChars, truncate } from '../../../platform/text/truncate.js'
import type { PayloadSource } from '../payload-source.js'
import { readRange } from '../read-chunks.js'

const LINE_FEED = 0x0a
const MAX_CONTEXT_LINE_BYTES = 1024
const UNPRINTABLE = new RegExp(String.raw`[\u0000-\u0008\u000B-\u001F\u007F]`, 'g')

/** The shown line of a match, and which of its bytes are shown whole. */
export interface Excerpt {
  text: string
  before: string[]
  after: string[]
  shownEnd: number
}

export interface ExcerptOptions {
  contextLines: number
  /** Limit of each line. */
  maxChars: number
  signal?: AbortSignal | undefined
}

/** Reads only around the match: long lines are truncated, context lines too. */
export async function excerptAround(
  source: PayloadSource,
  match: { offset: number; length: number },
  options: ExcerptOptions,
): Promise<Excerpt> {
  const reach = options.maxChars * 4 + options.contextLines * MAX_CONTEXT_LINE_BYTES
  const start = Math.max(0, match.offset - reach)
  const end = Math.min(source.sizeBytes, match.offset + reach)
  const bytes = await readRange(source, { start, end }, options.signal)
  const at = match.offset - start
  const feedBefore = at === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, at - 1)
  const feedAfter = bytes.indexOf(LINE_FEED, at)
  const lineEnd = feedAfter === -1 ? bytes.length : feedAfter
  const left = shown(bytes.subarray(feedBefore + 1, at))
  const right = shown(bytes.subarray(at, lineEnd))
  const isLeftCut = feedBefore === -1 && start > 0
  const isRightCut = feedAfter === -1 && end < source.sizeBytes
  const { text, rightChars } = cutAround({ left, right, isLeftCut, isRightCut }, options.maxChars)
  return {
    text,
    before: feedBefore === -1 ? [] : linesBefore(bytes.subarray(0, feedBefore), start > 0, options),
    after: feedAfter === -1 ? [] : linesAfter(bytes.subarray(feedAfter + 1), end < source.sizeBytes, options),
    shownEnd: match.offset + bytesOfChars(bytes.subarray(at, lineEnd), rightChars),
  }
}

/** For invalid UTF-8, at least as many bytes as characters: too few only means that a match is shown alone. */
function bytesOfChars(bytes: Buffer, chars: number): number {
  return isUtf8(bytes) ? Buffer.byteLength(bytes.toString('utf8').slice(0, chars)) : chars
}

/** The match begins after a third of the space; unused space on one side goes to the other. */
function cutAround(
  line: { left: string; right: string; isLeftCut: boolean; isRightCut: boolean },
  maxChars: number,
): { text: string; rightChars: number } {
  const { left, right } = line
  const forLeft = Math.max(Math.floor(maxChars / 3), maxChars - right.length)
  const keptLeft = left.length <= forLeft ? left : lastChars(left, forLeft)
  const keptRight = firstChars(right, maxChars - keptLeft.length)
  const head = line.isLeftCut || keptLeft.length < left.length ? '…' : ''
  const tail = line.isRightCut || keptRight.length < right.length ? '…' : ''
  return { text: head + keptLeft + keptRight + tail, rightChars: keptRight.length }
}

function lastChars(text: string, maxChars: number): string {
  const first = text.charCodeAt(text.length - maxChars)
  return text.slice(text.length - maxChars + (first >= 0xdc00 && first <= 0xdfff ? 1 : 0))
}

function linesBefore(bytes: Buffer, isCut: boolean, { contextLines, maxChars }: ExcerptOptions): string[] {
  if (contextLines === 0) return []
  const lines = bytes.toString('utf8').split('\n')
  if (isCut && lines.length <= contextLines)
    lines[0] = `…${lastChars(lines[0]!, Math.min(lines[0]!.length, maxChars))}`
  return lines.slice(-contextLines).map((line) => truncate(clean(line), maxChars))
}

function linesAfter(bytes: Buffer, isCut: boolean, { contextLines, maxChars }: ExcerptOptions): string[] {
  if (contextLines === 0 || bytes.length === 0) return []
  const lines = bytes.toString('utf8').split('\n')
  if (!isCut && lines.at(-1) === '') lines.pop()
  return lines.slice(0, contextLines).map((line) => truncate(clean(line), maxChars))
}

function shown(bytes: Buffer): string {
  return clean(bytes.toString('utf8'))
}

/** Changes only the display: the match keeps its offset and length in the payload. */
function clean(text: string): string {
  return text.replace(/\r$/, '').replace(UNPRINTABLE, '\uFFFD')
}
