import { describeMissing } from './describe-missing.js'
import { findRecord, isJsonLines } from './find-record.js'
import { listMembers } from './list-members.js'
import { locateValue, MAX_POINTER_BYTES, type ValueLocation } from './locate-value.js'
import { problemPage, type Page, type PointerRequest, type ReadLimits } from '../page.js'
import { parsePointer } from './parse-pointer.js'
import type { PayloadSource } from '../payload-source.js'
import { textChars } from '../read-bytes.js'
import { readRange, type Range } from '../read-chunks.js'
import { fillMembers } from './fill-members.js'
import { sliceString } from './slice-string.js'

/** How many items of an array an outline lists; they are mostly alike. */
const OUTLINE_ITEMS = 20
/** The minimum size of a member on a page. */
const MEMBER_CHARS = 8

export async function readPointer(
  source: PayloadSource,
  request: PointerRequest,
  limits: ReadLimits,
): Promise<Page> {
  const parsed = parsePointer(request.pointer)
  if ('problem' in parsed) return problemPage(parsed.problem)
  const document = isJsonLines(source.mediaType)
    ? await findRecord(source, parsed.tokens, limits)
    : { range: { start: 0, end: source.sizeBytes }, tokens: parsed.tokens, name: 'The payload' }
  if ('problem' in document) return problemPage(document.problem)
  const { range, tokens, name } = document
  if (range.end - range.start > MAX_POINTER_BYTES)
    return problemPage(
      `${name} has more than ${MAX_POINTER_BYTES} bytes, and JSON pointers reach no further: ` +
        'search it for a key, or read it by line or offset.',
    )
  const located = await locateValue(source, { range, tokens, signal: limits.signal })
  if (located.kind === 'malformed') return problemPage(malformed(name, located))
  if (located.kind === 'missing')
    return problemPage(
      describeMissing(located.missing, {
        tokens: parsed.tokens,
        skipped: parsed.tokens.length - tokens.length,
      }),
    )
  return readValue(source, { request, value: located.value }, limits)
}

function malformed(name: string, { at, isTooDeep }: { at: number; isTooDeep: boolean }): string {
  const what = isTooDeep ? 'is nested too deeply' : 'is not valid JSON'
  return `${name} ${what} at byte ${at}: read it by line or offset, or search it.`
}

interface Wanted {
  request: PointerRequest
  value: ValueLocation
}

async function readValue(source: PayloadSource, wanted: Wanted, limits: ReadLimits): Promise<Page> {
  const { request, value } = wanted
  const isSlice = request.from !== undefined || request.count !== undefined
  if (isSlice && value.type === 'string') return readString(source, wanted, limits)
  if (isSlice && (value.type === 'object' || value.type === 'array'))
    return readMembers(source, wanted, limits)
  const text = await shortText(source, value, limits)
  if (text !== undefined) return { kind: 'value', type: value.type, text, ...covered(source, wanted) }
  if (value.type === 'string') return readString(source, wanted, limits)
  if (value.type === 'object' || value.type === 'array') return readMembers(source, wanted, limits)
  // Only a number can get here: one that is longer than a page.
  return problemPage(
    `The number at this pointer has ${value.end - value.start} digits: read it from offset ${value.start} on.`,
  )
}

/** The value as it is in the source, if it fits the page. */
async function shortText(
  source: PayloadSource,
  range: Range,
  limits: ReadLimits,
): Promise<string | undefined> {
  const room = textChars(limits)
  // A character has at most three bytes per UTF-16 unit.
  if (range.end - range.start > room * 3) return undefined
  const text = (await readRange(source, range, limits.signal)).toString('utf8')
  return text.length <= room ? text : undefined
}

function covered(source: PayloadSource, { request, value }: Wanted) {
  return {
    pointer: request.pointer,
    offset: value.start,
    length: value.end - value.start,
    sizeBytes: source.sizeBytes,
    lineCount: source.lines?.lineCount,
    next: undefined,
  }
}

async function readString(source: PayloadSource, wanted: Wanted, limits: ReadLimits): Promise<Page> {
  const { request, value } = wanted
  const from = request.from ?? 0
  const maxChars = Math.min(textChars(limits), request.count ?? Infinity)
  const slice = await sliceString(source, { range: value, from, maxChars, signal: limits.signal })
  if (from > 0 && from >= slice.totalChars)
    return problemPage(
      `The string at this pointer has ${slice.totalChars} characters: ask for an offset below that.`,
    )
  const end = slice.from + slice.text.length
  const next = end < slice.totalChars ? { ...request, from: end } : undefined
  return { kind: 'string', ...slice, ...covered(source, wanted), next }
}

async function readMembers(source: PayloadSource, wanted: Wanted, limits: ReadLimits): Promise<Page> {
  const { request, value } = wanted
  const { type, count } = value as ValueLocation & { type: 'object' | 'array' }
  const isOutline = request.from === undefined && request.count === undefined
  const from = request.from ?? 0
  if (from > 0 && from >= count)
    return problemPage(
      `The ${type} at this pointer has ${count} ${type === 'array' ? 'items' : 'members'}: ask for an offset below that.`,
    )
  const most = isOutline && type === 'array' ? OUTLINE_ITEMS : Math.floor(textChars(limits) / MEMBER_CHARS)
  const limit = Math.min(most, request.count ?? Infinity)
  const listed = await listMembers(source, { value, from, limit, signal: limits.signal })
  const members = await fillMembers(source, { listed, isOutline }, limits)
  const end = from + members.length
  const next = isOutline ? { ...request, from: 0 } : end < count ? { ...request, from: end } : undefined
  return {
    kind: 'members',
    type,
    isOutline,
    totalCount: count,
    from,
    members,
    ...covered(source, wanted),
    next,
  }
}
