import type { RequestOptions } from './connection.js'

/** A request that has no answer yet. */
export interface UnderWay {
  readonly method: string
  readonly options: RequestOptions
  /** What to give up when it ends. */
  readonly questions: Set<AbortController>
}
