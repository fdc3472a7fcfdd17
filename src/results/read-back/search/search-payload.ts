import { MAX_CONTEXT_LINES, MAX_MATCHES } from './search-limits.js'
import { excerptAround } from './excerpt.js'
import { findFolded } from './find-folded.js'
import { createLineCounter } from './find-line.js'
import { findPattern } from './find-pattern.js'
import type { Found } from './found.js'
import {
  problemPage,
  type Match,
  type MatchesPage,
  type Page,
  type ReadLimits,
  type SearchEnd,
  type SearchRequest,
} from '../page.js'
import type { PayloadSource } from '../payload-source.js'
import { textChars } from '../read-bytes.js'
import { readChunks } from '../read-chunks.js'
import { renderMatch } from './render-match.js'

const DEFAULT_LIMIT = 20
const DEFAULT_SEARCH_BYTES = 256 * 1024 * 1024
const DEFAULT_SEARCH_MS = 10_000
const DEFAULT_LINE_MS = 1000
const MAX_LINE_CHARS = 300
/** Marks, a line number and a line feed around each line of a match. */
const LINE_OVERHEAD_CHARS = 20
/** A shorter line would show nothing useful. */
const LEAST_LINE_CHARS = 2 * LINE_OVERHEAD_CHARS
const MAX_TEXT_CHARS = 1000

export async function searchPayload(
  source: PayloadSource,
  request: SearchRequest,
  limits: ReadLimits,
): Promise<Page> {
  const after = request.after ?? 0
  const problem = problemOf(source, request, after)
  if (problem !== undefined) return problemPage(problem)
  const pattern = request.isRegex ? compile(request) : undefined
  if (typeof pattern === 'string') return problemPage(pattern)
  const { text } = request
  const { signal, maxLineMs = DEFAULT_LINE_MS } = limits
  const found = pattern
    ? findPattern(source, { pattern, after, maxLineMs, signal })
    : request.ignoreCase
      ? findFolded(source, { text, after, signal })
      : findLiteral(source, { text, after, signal })
  return collect(source, { request, found, after }, limits)
}

function problemOf(source: PayloadSource, { text }: SearchRequest, after: number): string | undefined {
  if (text === '') return 'The text to search for is empty: give at least one character.'
  if (text.length > MAX_TEXT_CHARS)
    return `The text to search for has ${text.length} characters: give at most ${MAX_TEXT_CHARS}, a part is enough.`
  if (/\p{Surrogate}/u.test(text))
    return 'The text to search for holds half of a surrogate pair: give whole characters.'
  if (after > source.sizeBytes)
    return `The payload has ${source.sizeBytes} bytes: a search goes on after a byte offset of at most that.`
  return undefined
}

/** The expression, or what is wrong with it. Older spellings, such as an escaped dash, work without the u flag. */
function compile({ text, ignoreCase }: SearchRequest): RegExp | string {
  const flags = ignoreCase ? 'gi' : 'g'
  try {
    return new RegExp(text, `${flags}u`)
  } catch {
    try {
      return new RegExp(text, flags)
    } catch (error) {
      const reason = (error as Error).message.split(': ').at(-1)!
      return `The regular expression cannot be read (${reason}): correct it, or search for it as plain text.`
    }
  }
}

interface Collecting {
  request: SearchRequest
  found: AsyncIterable<Found>
  after: number
}

async function collect(
  source: PayloadSource,
  { request, found, after }: Collecting,
  limits: ReadLimits,
): Promise<MatchesPage> {
  const matches = createMatchList(source, request, limits)
  const lastByte = after + (limits.maxSearchBytes ?? DEFAULT_SEARCH_BYTES)
  const deadline = performance.now() + (limits.maxSearchMs ?? DEFAULT_SEARCH_MS)
  let reached = after
  let endedBy: SearchEnd = 'payload'
  for await (const item of found) {
    if (item.kind === 'slow') {
      reached = item.upTo
      endedBy = 'slow pattern'
      break
    }
    if (item.kind === 'match') {
      const full = await matches.add(item)
      if (full !== undefined) {
        endedBy = full
        break
      }
      reached = item.offset + Math.max(1, item.length)
      continue
    }
    reached = item.upTo
    const end = matches.isFull() ? 'limit' : reached >= lastByte ? 'bytes' : 'time'
    if (end === 'time' && performance.now() < deadline) continue
    endedBy = end
    break
  }
  if (endedBy === 'payload' || reached >= source.sizeBytes) {
    reached = source.sizeBytes
    if (endedBy !== 'slow pattern') endedBy = 'payload'
  }
  return {
    kind: 'matches',
    matches: matches.all,
    endedBy,
    offset: after,
    length: reached - after,
    sizeBytes: source.sizeBytes,
    lineCount: source.lines?.lineCount,
    next: reached < source.sizeBytes ? { ...request, after: reached } : undefined,
  }
}

interface MatchList {
  readonly all: Match[]
  isFull(): boolean
  /** Returns why the page ends, when the match no longer fits. */
  add(match: { offset: number; length: number }): Promise<'limit' | 'page' | undefined>
}

function createMatchList(source: PayloadSource, request: SearchRequest, limits: ReadLimits): MatchList {
  const limit = Math.min(MAX_MATCHES, request.limit ?? DEFAULT_LIMIT)
  const room = textChars(limits)
  // If not all context lines fit, the nearest are shown.
  const fitting = Math.max(0, Math.floor((room / LEAST_LINE_CHARS - 1) / 2))
  const contextLines = Math.min(MAX_CONTEXT_LINES, fitting, request.contextLines ?? 0)
  const perLine = Math.floor(room / (2 * contextLines + 1)) - LINE_OVERHEAD_CHARS
  const options = { contextLines, maxChars: Math.min(MAX_LINE_CHARS, perLine), signal: limits.signal }
  const lineAt = createLineCounter(source, limits)
  const all: Match[] = []
  let shownEnd = 0
  let chars = 0
  return {
    all,
    isFull: () => all.length >= limit,
    async add({ offset, length }) {
      if (all.length > 0 && offset + length <= shownEnd) {
        all.at(-1)!.furtherCount++
        return undefined
      }
      if (all.length >= limit) return 'limit'
      const { text, before, after, shownEnd: end } = await excerptAround(source, { offset, length }, options)
      const match: Match = {
        offset,
        length,
        line: await lineAt(offset),
        text,
        before,
        after,
        furtherCount: 0,
      }
      chars += renderMatch(match).length + LINE_OVERHEAD_CHARS * 2
      if (chars > room && all.length > 0) return 'page'
      shownEnd = end
      all.push(match)
      return undefined
    },
  }
}

/**
 * Every occurrence of the text, byte for byte. A match that may be split by a chunk's end is found with the next chunk.
 */
async function* findLiteral(
  source: PayloadSource,
  { text, after, signal }: { text: string; after: number; signal?: AbortSignal | undefined },
): AsyncGenerator<Found> {
  const needle = Buffer.from(text)
  let base = after
  let kept = Buffer.alloc(0)
  for await (const chunk of readChunks(source, { start: after, end: source.sizeBytes }, signal)) {
    const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
    let from = 0
    for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, from)) {
      yield { kind: 'match', offset: base + at, length: needle.length }
      from = at + needle.length
    }
    const keepFrom = Math.max(from, bytes.length - needle.length + 1, 0)
    kept = Buffer.from(bytes.subarray(keepFrom))
    base += keepFrom
    yield { kind: 'scanned', upTo: base }
  }
}
