import type { OpenWork } from '../calls/open-work.js'

/** A call that runs on while its client polls for the result. The task's id is the call's id. */
export interface LiveTask {
  readonly taskId: string
  readonly work: OpenWork
  readonly toolId: string
  /** The surface on which the call was made. */
  readonly surfaceId: string
  readonly createdAt: number
  readonly ttlMs: number
  updatedAt: number
  isCancelled: boolean
  message: string | undefined
}
