/** AML's default for one attempt. */
export const TIMEOUT_MS = 5_000

/** The default where a call waits for work of others: a cloud function, or the answer to a message. */
export const LONG_TIMEOUT_MS = 60_000

/**
 * When a transport gives up an attempt by itself: shortly before the pipeline would, because the transport knows whether
 * the call may have run and what becomes of a late answer.
 */
export function ownLimitMs(timeoutMs: number): number {
  return timeoutMs - Math.min(100, timeoutMs / 10)
}
