import type { JsonType } from './json/json-scanner.js'

/** Positions below zero count from the end. */
export interface BytesRequest {
  by: 'bytes'
  offset?: number | undefined
  length?: number | undefined
}

/** Lines are counted from 1; below zero from the end. */
export interface LinesRequest {
  by: 'lines'
  from?: number | undefined
  count?: number | undefined
}

/** `from` and `count` choose among the items of an array, the members of an object, the characters of a string. */
export interface PointerRequest {
  by: 'pointer'
  pointer: string
  from?: number | undefined
  count?: number | undefined
}

export interface SearchRequest {
  by: 'search'
  text: string
  isRegex?: boolean | undefined
  ignoreCase?: boolean | undefined
  contextLines?: number | undefined
  limit?: number | undefined
  /** Only matches that begin at this byte offset or behind it. */
  after?: number | undefined
}

export type ReadRequest = BytesRequest | LinesRequest | PointerRequest | SearchRequest

export interface ReadLimits {
  /** Of the rendered page, in UTF-16 units; at least `MIN_PAGE_CHARS`. Below 2,000 the names of members may go over it. */
  maxChars: number
  signal?: AbortSignal | undefined
  /** How much of the payload one page of a search goes through before it hands over to the next page. */
  maxSearchBytes?: number | undefined
  maxSearchMs?: number | undefined
  /** How long a regular expression may think about one line. */
  maxLineMs?: number | undefined
}

/** Below this a page could not say what it holds and how to go on. */
export const MIN_PAGE_CHARS = 400
/** Kept free on every page for the sentence that closes it; of a short page a share. */
export const CLOSING_CHARS = 600
export const CLOSING_SHARE = 0.7

/** What a page covers of which payload, and the request that continues. */
interface Covered {
  offset: number
  length: number
  sizeBytes: number
  lineCount: number | undefined
  next: ReadRequest | undefined
}

export interface TextPage extends Covered {
  kind: 'text'
  /** Exactly the bytes covered. */
  text: string
  /** Known for pages by lines only. */
  lines: { first: number; last: number } | undefined
  /** The last line shown goes on behind this page. */
  endsInsideLine: boolean
}

export interface BinaryPage extends Covered {
  kind: 'binary'
  base64: string
  mediaType: string | undefined
}

/** A JSON value that fits the page, in its own spelling. */
export interface ValuePage extends Covered {
  kind: 'value'
  pointer: string
  type: JsonType
  text: string
}

/** A part of a long JSON string, its escapes resolved. */
export interface StringPage extends Covered {
  kind: 'string'
  pointer: string
  text: string
  from: number
  totalChars: number
}

export interface Member {
  /** A key, or an index in an array. */
  name: string | number
  isNameCut: boolean
  type: JsonType
  sizeBytes: number
  /** Of items or members; zero for other values. */
  count: number
  /** The value in its own spelling, where it is short enough to stand here. */
  text: string | undefined
  /** The same key stands again further on: of its values only the last one counts. */
  isRepeated: boolean
}

/** An outline of an array or object that does not fit a page, or a slice of it. */
export interface MembersPage extends Covered {
  kind: 'members'
  pointer: string
  type: 'object' | 'array'
  isOutline: boolean
  totalCount: number
  from: number
  members: Member[]
}

export interface Match {
  offset: number
  length: number
  /** Unknown where counting up to it would mean reading too much. */
  line: number | undefined
  /** The line, cut around the match when it is long. */
  text: string
  before: string[]
  after: string[]
  /** Further matches inside the text shown. */
  furtherCount: number
}

/** Why a search page ends where it does. */
export type SearchEnd = 'payload' | 'limit' | 'page' | 'bytes' | 'time' | 'slow pattern'

export interface MatchesPage extends Covered {
  kind: 'matches'
  matches: Match[]
  endedBy: SearchEnd
}

/** One sentence that says what to do instead. */
export interface ProblemPage {
  kind: 'problem'
  problem: string
  next: undefined
}

export type Page = TextPage | BinaryPage | ValuePage | StringPage | MembersPage | MatchesPage | ProblemPage

export function problemPage(problem: string): ProblemPage {
  return { kind: 'problem', problem, next: undefined }
}
