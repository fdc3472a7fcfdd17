import { fileProblem, shown } from '../access/file-problem.js'
import type { OpenedFile } from '../access/open-checked.js'
import { readRange } from '../access/read-bytes.js'
import { detectText, withoutHalf } from '../text/text-encoding.js'
import { cutPage, type PageRequest } from '../text/text-page.js'

/** Lines of a file that is too large to be read as a whole: its digest and its number of lines are not known. */
export interface HugePage {
  readonly lines: readonly string[]
  /** Unknown where lines are counted from the end. */
  readonly startLine: number | undefined
  readonly isLast: boolean
}

const CHUNK_BYTES = 4 * 1024 * 1024
/** How far lines are counted. */
const MAX_COUNTED_BYTES = 2 * 1024 * 1024 * 1024
const LINE_FEED = 0x0a

export async function readHuge(file: OpenedFile, path: string, request: PageRequest): Promise<HugePage> {
  const sample = await readRange(file, 0, 64 * 1024)
  const form = detectText(sample, { isCut: true })
  if (form?.encoding !== 'utf-8' && form?.encoding !== 'latin1')
    throw fileProblem(
      'too_large',
      `${shown(path)} is large and has no lines that can be counted; read it with start_byte and byte_count.`,
    )
  const { size } = file.stats
  if (request.startLine < 0) return readEnd(file, request)
  const start = await findLine(file, path, request.startLine)
  // A character has at most four bytes.
  const bytes = await readRange(file, start, Math.min(size - start, request.maxChars * 4 + 4))
  const isLast = start + bytes.length >= size
  const page = cutPage(withoutHalf(bytes, !isLast), { ...request, startLine: 1 })
  return {
    lines: page.lines,
    startLine: request.startLine,
    isLast: isLast && page.lines.length === page.totalLines,
  }
}

async function findLine(file: OpenedFile, path: string, line: number): Promise<number> {
  let left = line - 1
  for (let start = 0; start < Math.min(file.stats.size, MAX_COUNTED_BYTES); start += CHUNK_BYTES) {
    if (left === 0) return start
    const chunk = await readRange(file, start, CHUNK_BYTES)
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      left--
      if (left === 0) return start + at + 1
    }
  }
  throw fileProblem('invalid_range', `${shown(path)} has only ${line - 1 - left} lines; start before that.`)
}

async function readEnd(file: OpenedFile, request: PageRequest): Promise<HugePage> {
  const { size } = file.stats
  const start = Math.max(0, size - CHUNK_BYTES)
  const bytes = await readRange(file, start, size - start)
  const whole = bytes.subarray(start === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1)
  const page = cutPage(whole, request)
  return {
    lines: page.lines,
    startLine: undefined,
    isLast: page.startLine + page.lines.length > page.totalLines,
  }
}
