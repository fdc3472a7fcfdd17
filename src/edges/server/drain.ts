import type { ListeningServer } from './http-server.js'

const LOOK_EVERY_MS = 20
/** How long answers may take to be written when no call runs any more. Other requests wait for people. */
const ANSWER_MS = 300

/** Refuses new requests, and waits until the open ones and the running calls have ended, or the time is over. */
export async function drain(
  server: Pick<ListeningServer, 'drain' | 'openRequests'>,
  { running, limitMs }: { running: () => number; limitMs: number },
): Promise<void> {
  server.drain()
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
