import type { BinaryPage, MatchesPage, MembersPage, Page, ReadRequest, StringPage, TextPage } from './page.js'
import { toPointerToken } from './json/parse-pointer.js'
import { prefixOf } from './read-lines.js'
import { renderMatch } from './search/render-match.js'
import { renderMember } from './json/render-member.js'

const MAX_SHOWN_POINTER_CHARS = 120

/** Formats how to request the next page. */
export type FormatNextRequest = (next: ReadRequest) => string

/** The text for a model: the content, and a closing sentence that says what it covers and how to continue. */
export function renderPage(page: Page, format: FormatNextRequest = nextArguments): string {
  const formatNext = (next: ReadRequest | undefined): string =>
    next === undefined ? 'this is the end' : format(next)
  switch (page.kind) {
    case 'problem':
      return page.problem
    case 'text':
      return withClosing(renderText(page), closeText(page, formatNext(page.next)))
    case 'binary':
      return withClosing(page.base64, closeBinary(page, formatNext(page.next)))
    case 'value':
      return withClosing(page.text, `the whole ${page.type} at pointer ${quoted(page.pointer)}`)
    case 'string':
      return withClosing(page.text, closeString(page, formatNext(page.next)))
    case 'members':
      return withClosing(page.members.map(renderMember).join('\n'), closeMembers(page, formatNext(page.next)))
    case 'matches':
      return withClosing(renderMatches(page), closeMatches(page, formatNext(page.next)))
  }
}

function withClosing(content: string, closing: string): string {
  const separator = content === '' || content.endsWith('\n') ? '' : '\n'
  return `${content}${separator}[${closing.charAt(0).toUpperCase()}${closing.slice(1)}.]`
}

function renderText({ text, lines }: TextPage): string {
  if (!lines) return text
  const split = text.split('\n')
  if (split.at(-1) === '') split.pop()
  return split.map((line, index) => prefixOf(lines.first + index) + line.replace(/\r$/, '')).join('\n')
}

function closeText(page: TextPage, goOn: string): string {
  const { lines, lineCount, sizeBytes } = page
  if (sizeBytes === 0) return 'the payload is empty'
  const bytes = `bytes ${page.offset} to ${page.offset + page.length} of ${sizeBytes}`
  const of = lineCount === undefined ? '' : ` of ${lineCount}`
  if (!lines) return `${bytes}; ${goOn}`
  if (page.next?.by === 'bytes')
    return `line ${lines.first}${of} is longer than a page or not all text; ${bytes}; ${goOn}`
  const shown = lines.first === lines.last ? `line ${lines.first}` : `lines ${lines.first} to ${lines.last}`
  return `${shown}${of}; ${goOn}`
}

function closeBinary(page: BinaryPage, goOn: string): string {
  const what = page.mediaType === undefined ? '' : ` of type ${page.mediaType.slice(0, 100)}`
  const bytes = `bytes ${page.offset} to ${page.offset + page.length} of ${page.sizeBytes}`
  return `base64, because these bytes${what} are not text; ${bytes}; ${goOn}`
}

function closeString(page: StringPage, goOn: string): string {
  const chars = `characters ${page.from} to ${page.from + page.text.length} of ${page.totalChars}`
  return `${chars} of the string at pointer ${quoted(page.pointer)}, escapes resolved; ${goOn}`
}

function closeMembers(page: MembersPage, goOn: string): string {
  const { type, totalCount, pointer, from, members } = page
  const noun = type === 'array' ? 'items' : 'members'
  const whole = `the ${type} at pointer ${quoted(pointer)} with ${totalCount} ${noun} and ${page.length} bytes`
  if (!page.isOutline) return `${noun} from ${from} up to ${from + members.length} of ${whole}; ${goOn}`
  const example = members.find(({ isNameCut }) => !isNameCut)
  const such = example ? ` such as ${quoted(`${pointer}/${toPointerToken(String(example.name))}`)},` : ''
  const rest = members.length < totalCount ? `the first ${members.length} of ` : ''
  return (
    `an outline, ${rest}${whole}; read one by its own pointer,${such} ` +
    `or slices of it with the same pointer and offset 0, length as many as you want`
  )
}

/** Truncated at its beginning, because the end is more specific. */
function quoted(pointer: string): string {
  return `"${pointer.length <= MAX_SHOWN_POINTER_CHARS ? pointer : `…${pointer.slice(-MAX_SHOWN_POINTER_CHARS)}`}"`
}

function renderMatches({ matches }: MatchesPage): string {
  const separator = matches.some(({ before, after }) => before.length + after.length > 0) ? '\n--\n' : '\n'
  return matches.map(renderMatch).join(separator)
}

function closeMatches(page: MatchesPage, goOn: string): string {
  const { matches, offset, length, sizeBytes } = page
  const count =
    matches.length === 0 ? 'no match' : matches.length === 1 ? '1 match' : `${matches.length} matches`
  const scanned = `${count} in bytes ${offset} to ${offset + length} of ${sizeBytes}`
  return `${scanned}${reasonOf(page)}; ${goOn}`
}

function reasonOf({ endedBy }: MatchesPage): string {
  switch (endedBy) {
    case 'payload':
      return ''
    case 'limit':
      return ', where the limit was reached'
    case 'page':
      return ', where the page was full'
    case 'bytes':
    case 'time':
      return ', as far as one page searches'
    case 'slow pattern':
      return ', where the regular expression took too long on a line and was stopped: a simpler one is better'
  }
}

/** The one argument that changes. */
function nextArguments(next: ReadRequest): string {
  switch (next.by) {
    case 'bytes':
      return `read on with offset ${next.offset}`
    case 'lines':
      return `read on with line ${next.from}`
    case 'pointer':
      return `read on with the same pointer and offset ${next.from}`
    case 'search':
      return `go on with the same search and after ${next.after}`
  }
}
