import type { ErrorCode } from '../../contract/error-codes.js'
import type { RefUse } from '../../catalog/tool-draft.js'
import type { Page, ReadRequest } from '../../results/read-back/page.js'

/** The caller that reads a ref. */
export interface RefCaller {
  tenant: string
  actor: string | undefined
  /** Whether the rules let it read results at all. */
  mayReadResults: boolean
}

/** Reads the content of refs for callers that may have it. Every failure is a `RefError`. */
export interface RefReader {
  /** The ref that always leads to the same bytes: the version, for a ref to the newest version or a hand-off. */
  pin(ref: string, tenant: string): Promise<string>
  /** Checks that the ref exists, that it may be read, and that it can be used this way. */
  find(ref: string, who: RefCaller, use: RefUse): Promise<{ sizeBytes: number }>
  read(ref: string, request: ReadRequest, options: ReadOptions): Promise<Page>
  content(ref: string, who: RefCaller, signal: AbortSignal): Promise<RefContent>
  /** The content as a file, until it is released. */
  file(ref: string, who: RefCaller, signal: AbortSignal): Promise<RefFile>
}

/** Text, parsed JSON or bytes. Each call returns a new value, which the caller may change. */
export interface RefContent {
  readonly sizeBytes: number
  base64(): string
  /** `mayBe` tells which JSON types are wanted; others are returned as text. */
  value(mayBe: (type: 'object' | 'array') => boolean): unknown
}

/** A copy: code that gets the path must not change the store's file. */
export interface RefFile {
  path: string
  release(): Promise<void>
}

export interface ReadOptions {
  who: RefCaller
  maxChars: number
  signal?: AbortSignal | undefined
}

export type RefProblem =
  | 'unknown'
  | 'denied'
  | 'sealed'
  | 'expired'
  | 'too_large'
  | 'too_much'
  | 'read_only'
  | 'judged'
  | 'unjudged'
  | 'missing'

interface ProblemText {
  errorClass: 'invalid_arguments' | 'permission_denied'
  code: ErrorCode
  sentence: string
}

const PROBLEMS: Record<RefProblem, ProblemText> = {
  unknown: { errorClass: 'invalid_arguments', code: 'toolcrib.ref_unknown', sentence: 'There is nothing at' },
  denied: {
    errorClass: 'permission_denied',
    code: 'toolcrib.ref_denied',
    sentence: 'This caller may not read',
  },
  sealed: {
    errorClass: 'permission_denied',
    code: 'toolcrib.ref_denied',
    sentence: 'No tool gets protected data; its readers open it with result.read:',
  },
  expired: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_expired',
    sentence: 'Its time is over, and only the record of it is left:',
  },
  too_large: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_too_large',
    sentence:
      'It is too large to be given as a value; read it in pages, or give it to a tool that takes a file:',
  },
  too_much: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_too_large',
    sentence:
      'The refs of one call may stand for 64 MB of values, each place counted; give fewer, or files, than with:',
  },
  read_only: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_read_only',
    sentence: 'Stored data cannot be written to:',
  },
  judged: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_not_allowed',
    sentence:
      'Rules judge commands, URLs and paths by their own words: read the ref and write here what is meant, in place of',
  },
  unjudged: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_not_allowed',
    sentence: 'The schema of the tool made a ref that was not there when the call was judged:',
  },
  missing: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_missing',
    sentence: 'Its bytes are gone, and only the record of it is left:',
  },
}

export class RefError extends Error {
  readonly errorClass: 'invalid_arguments' | 'permission_denied'
  readonly code: ErrorCode

  constructor(
    readonly problem: RefProblem,
    ref: string,
  ) {
    super(`${PROBLEMS[problem].sentence} ${ref}`)
    this.name = 'RefError'
    this.errorClass = PROBLEMS[problem].errorClass
    this.code = PROBLEMS[problem].code
  }
}
