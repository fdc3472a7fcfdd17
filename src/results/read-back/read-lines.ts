import { firstChars } from '../../platform/text/truncate.js'
import { findLine } from './search/find-line.js'
import { isBinaryType } from './is-binary-type.js'
import { problemPage, type LinesRequest, type Page, type ReadLimits, type TextPage } from './page.js'
import type { PayloadSource } from './payload-source.js'
import { readBytes, readText, textChars } from './read-bytes.js'

export async function readLines(
  source: PayloadSource,
  request: LinesRequest,
  limits: ReadLimits,
): Promise<Page> {
  const asked = request.from ?? 1
  const place = await findLine(source, asked, limits)
  if ('problem' in place) return problemPage(place.problem)
  const { offset, line } = place
  if (isBinaryType(source.mediaType)) return readBytes(source, { by: 'bytes', offset }, limits)
  const maxChars = textChars(limits)
  const { bytes, measure } = await readText(
    source,
    { start: offset, end: source.sizeBytes, maxChars },
    limits,
  )
  if (measure.bytes === 0 && source.sizeBytes > 0) return readBytes(source, { by: 'bytes', offset }, limits)
  const text = bytes.toString('utf8', 0, measure.bytes)
  const isLast = offset + measure.bytes === source.sizeBytes
  const whole = wholeLines(text, { isLast, line, count: request.count ?? Infinity, maxChars })
  const page = { source, offset, line }
  if (whole.count === 0) return insideLine(page, firstChars(text, maxChars - prefixOf(line).length))
  const from = (line ?? asked) + whole.count
  return textPage(page, text.slice(0, whole.chars), { lineCount: whole.count, next: { ...request, from } })
}

interface PageStart {
  source: PayloadSource
  offset: number
  line: number | undefined
}

/** A line that is longer than the page: its rest is read by bytes. */
function insideLine(start: PageStart, text: string): TextPage {
  const page = textPage(start, text, { lineCount: 1, next: undefined })
  return { ...page, endsInsideLine: true, next: { by: 'bytes', offset: page.offset + page.length } }
}

function textPage(
  { source, offset, line }: PageStart,
  text: string,
  { lineCount, next }: { lineCount: number; next: LinesRequest | undefined },
): TextPage {
  const length = Buffer.byteLength(text)
  return {
    kind: 'text',
    text,
    offset,
    length,
    sizeBytes: source.sizeBytes,
    lineCount: source.lines?.lineCount,
    lines: line === undefined || length === 0 ? undefined : { first: line, last: line + lineCount - 1 },
    endsInsideLine: false,
    next: offset + length < source.sizeBytes ? next : undefined,
  }
}

/** The prefix of a line on the rendered page. */
export function prefixOf(line: number | undefined): string {
  return line === undefined ? '' : `${line}\t`
}

/** How many whole lines of the text fit the page, including their numbers. */
function wholeLines(
  text: string,
  {
    isLast,
    line,
    count,
    maxChars,
  }: { isLast: boolean; line: number | undefined; count: number; maxChars: number },
): { count: number; chars: number } {
  let fitting = 0
  let chars = 0
  let cost = 0
  while (fitting < count) {
    const feed = text.indexOf('\n', chars)
    if (feed === -1 && !(isLast && (chars < text.length || text === ''))) break
    const end = feed === -1 ? text.length : feed + 1
    cost += end - chars + prefixOf(line === undefined ? undefined : line + fitting).length
    if (cost > maxChars) break
    fitting++
    chars = end
    if (text === '') break
  }
  return { count: fitting, chars }
}
