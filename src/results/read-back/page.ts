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

/** `from` and `count` select items of an array, members of an object, or characters of a string. */
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
  /** Only matches that begin at or after this byte offset. */
  after?: number | undefined
}

export type ReadRequest = BytesRequest | LinesRequest | PointerRequest | SearchRequest

export interface ReadLimits {
  /**
   * Size of the rendered page in UTF-16 units; at least `MIN_PAGE_CHARS`. Below 2,000, long member names may exceed it.
   */
  maxChars: number
  signal?: AbortSignal | undefined
  /** How much of the payload one page of a search scans before the next page continues. */
  maxSearchBytes?: number | undefined
  maxSearchMs?: number | undefined
  /** How long a regular expression may run on one line. */
  maxLineMs?: number | undefined
}

/** A smaller page could not hold content and how to continue. */
export const MIN_PAGE_CHARS = 400
/** Reserved on every page for its closing sentence; on a short page a share of it. */
export const CLOSING_CHARS = 600
export const CLOSING_SHARE = 0.7

/** The part of a payload that a page covers, and the request that continues. */
interface Covered {
  offset: number
  length: number
  sizeBytes: number
  lineCount: number | undefined
  next: ReadRequest | undefined
}

export interface TextPage extends Covered {
  kind: 'text'
  /** Exactly the covered bytes. */
  text: string
  /** Only for pages by lines. */
  lines: { first: number; last: number } | undefined
  /** The last line continues after this page. */
  endsInsideLine: boolean
}

export interface BinaryPage extends Covered {
  kind: 'binary'
  base64: string
  mediaType: string | undefined
}

/** A JSON value that fits the page, as it is in the source. */
export interface ValuePage extends Covered {
  kind: 'value'
  pointer: string
  type: JsonType
  text: string
}

/** A part of a long JSON string, with its escapes resolved. */
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
  /** Number of items or members; zero for other values. */
  count: number
  /** The value as it is in the source, where it is short enough. */
  text: string | undefined
  /** The same key occurs again later: only its last value counts. */
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
  /** Unknown where counting up to it would read too much. */
  line: number | undefined
  /** The line, truncated around the match when it is long. */
  text: string
  before: string[]
  after: string[]
  /** Further matches in the shown text. */
  furtherCount: number
}

/** Why a search page ends. */
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
