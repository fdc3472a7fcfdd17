/** What a thread that runs code gets first. */
export interface CodeOrder {
  readonly code: string
  readonly memoryMb: number
  readonly timeoutMs: number
}

/** Answers to the calls that the code makes, as JSON of `CallAnswer`. */
export interface CodeAnswer {
  readonly id: number
  readonly json: string
}

/** How a call that the code made has ended. */
export type CallAnswer =
  | { readonly value: unknown }
  | {
      readonly error: {
        readonly message: string
        readonly error_class?: string
        readonly error_code?: string
      }
    }

/** Why code ended without a value. */
export type CodeProblem = 'thrown' | 'syntax' | 'time' | 'memory' | 'stuck' | 'not_json' | 'not_started'

export type CodeReply =
  /** The language is loaded, and the code starts. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly json: string }
  | { readonly kind: 'log'; readonly text: string }
  /** The code waits for answers. */
  | { readonly kind: 'idle'; readonly usedMs: number }
  | { readonly kind: 'value'; readonly json: string | undefined }
  | { readonly kind: 'problem'; readonly problem: CodeProblem; readonly message: string }
