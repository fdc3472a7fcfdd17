import type { RequestOptions } from './connection.js'

/** A request that has no answer yet. */
export interface PendingRequest {
  readonly method: string
  readonly options: RequestOptions
  /** Questions to cancel when the request ends; most requests have none. */
  questions: Set<AbortController> | undefined
}
