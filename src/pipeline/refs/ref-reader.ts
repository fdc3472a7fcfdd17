import type { ErrorCode } from '../../contract/error-codes.js'
import type { RefUse } from '../../catalog/tool-draft.js'
import type { Page, ReadRequest } from '../../results/read-back/page.js'

/** Who wants to read what a ref stands for. */
export interface RefCaller {
  tenant: string
  actor: string | undefined
  /** Whether a rule lets it read results at all. */
  mayReadResults: boolean
}

/** Gives what refs stand for to those who may have it. Whatever cannot be given is a `RefError`. */
export interface RefReader {
  /** The ref that leads to the very same bytes for ever: that of a version for the newest one or a hand-off. */
  pin(ref: string, tenant: string): Promise<string>
  /** Only whether it is there, may be read, and can be given in this way. */
  find(ref: string, who: RefCaller, use: RefUse): Promise<{ sizeBytes: number }>
  read(ref: string, request: ReadRequest, options: ReadOptions): Promise<Page>
  content(ref: string, who: RefCaller, signal: AbortSignal): Promise<RefContent>
  /** As a file, until it is released. */
  file(ref: string, who: RefCaller, signal: AbortSignal): Promise<RefFile>
}

/** Text, parsed JSON or bytes. Each value is a new one: whoever gets it may change it. */
export interface RefContent {
  readonly sizeBytes: number
  /** `mayBe` says which values of JSON are wanted; of others the text is given. */
  value(mayBe: (type: 'object' | 'array') => boolean): unknown
}

/** A copy of its own: the store's file must not be changed by whoever gets the path. */
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

interface Said {
  errorClass: 'invalid_arguments' | 'permission_denied'
  code: ErrorCode
  says: string
}

const SAID: Record<RefProblem, Said> = {
  unknown: { errorClass: 'invalid_arguments', code: 'toolcrib.ref_unknown', says: 'There is nothing at' },
  denied: { errorClass: 'permission_denied', code: 'toolcrib.ref_denied', says: 'This caller may not read' },
  sealed: {
    errorClass: 'permission_denied',
    code: 'toolcrib.ref_denied',
    says: 'What is protected is given to no tool; its readers open it with result.read:',
  },
  expired: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_expired',
    says: 'Its time is over, and only the record of it is left:',
  },
  too_large: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_too_large',
    says: 'It is too large to be given as a value; read it in pages, or give it to a tool that takes a file:',
  },
  too_much: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_too_large',
    says: 'The refs of one call may stand for 64 MB of values, each place counted; give fewer, or files, than with:',
  },
  read_only: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_read_only',
    says: 'What is kept cannot be written to:',
  },
  judged: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_not_allowed',
    says: 'Rules judge commands, URLs and paths by their own words: read the ref and write here what is meant, in place of',
  },
  unjudged: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_not_allowed',
    says: 'The schema of the tool made a ref that was not there when the call was judged:',
  },
  missing: {
    errorClass: 'invalid_arguments',
    code: 'toolcrib.ref_missing',
    says: 'Its bytes are gone, and only the record of it is left:',
  },
}

export class RefError extends Error {
  readonly errorClass: 'invalid_arguments' | 'permission_denied'
  readonly code: ErrorCode

  constructor(
    readonly problem: RefProblem,
    ref: string,
  ) {
    super(`${SAID[problem].says} ${ref}`)
    this.name = 'RefError'
    this.errorClass = SAID[problem].errorClass
    this.code = SAID[problem].code
  }
}
