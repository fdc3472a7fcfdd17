import type { ListeningServer } from './http-server.js'

const LOOK_EVERY_MS = 20
/** How long answers may take to be written when no call runs any more. Other requests wait for people. */
const ANSWER_MS = 300

export interface DrainOptions {
  /** How many calls run. */
  running(): number
  /** Cancels the running calls, and resolves when each has its result. */
  endCalls(): Promise<void>
  readonly limitMs: number
}

/**
 * Refuses new requests, and waits until the open ones and the running calls have ended. What still runs when the time is
 * over is canceled: its clients get that result.
 */
export async function drain(
  server: Pick<ListeningServer, 'drain' | 'openRequests'>,
  { running, endCalls, limitMs }: DrainOptions,
): Promise<void> {
  server.drain()
  await untilQuiet(server, { running, limitMs })
  // Also a call that is not waited for, such as one that asks its client.
  await endCalls()
  await untilQuiet(server, { running, limitMs: ANSWER_MS })
}

/** Waits until nothing runs any more and the answers are written, or until the time is over. */
async function untilQuiet(
  server: Pick<ListeningServer, 'openRequests'>,
  { running, limitMs }: Pick<DrainOptions, 'running' | 'limitMs'>,
): Promise<void> {
  const deadline = performance.now() + limitMs
  let quietSince: number | undefined
  for (;;) {
    const now = performance.now()
    quietSince = running() > 0 ? undefined : (quietSince ?? now)
    const isQuiet = quietSince !== undefined && (server.openRequests === 0 || now - quietSince >= ANSWER_MS)
    if (isQuiet || now >= deadline) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
