import type { InvocationStatus, ResultStatus } from '../../contract/unions.js'

/** The state of a crib in this process, for health checks, metrics and logs. */
export interface CribMonitor {
  /** The open calls of this process. */
  calls(): OpenCallCounts
  /** How many writes of records have failed. Their content is kept and written again. */
  writeFailures(): number
  /** Writes to the store; resolves to why that failed, or to nothing. An answer is repeated for a second. */
  storeProblem(): Promise<string | undefined>
  /** Calls back with each call that ends in this process. Returns a function that stops this. */
  onCallEnd(listener: (call: EndedCall) => void): () => void
}

export interface OpenCallCounts {
  /** Without the waiting ones. */
  readonly running: number
  /** Calls that wait for people. */
  readonly waiting: number
}

/** A call that has its result. It has no content of the call. */
export interface EndedCall {
  readonly invocationId: string
  readonly toolId: string
  /** The source of the tool; absent where no tool was found. */
  readonly source: string | undefined
  readonly tenant: string
  readonly actor: string | undefined
  readonly status: InvocationStatus
  readonly resultStatus: ResultStatus
  /** From the request to the result, with all waits. */
  readonly durationMs: number
}
