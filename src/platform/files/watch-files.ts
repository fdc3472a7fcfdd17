import { stat } from 'node:fs/promises'

const LOOK_EVERY_MS = 400

/**
 * Tells when files have changed, have come or have gone, until the signal says that it is over; and once at the start,
 * for they may have changed since they were read. Looked at from time to time: what a system tells of its files differs
 * from one to the next, and ends where a file is replaced by another.
 */
export function watchFiles(
  paths: readonly string[],
  { onChange, signal }: { onChange(): Promise<void>; signal: AbortSignal },
): void {
  let told: string | undefined
  let last: string | undefined
  let isLooking = false

  async function look(): Promise<void> {
    const before = last
    last = (await Promise.all(paths.map(stampOf))).join('\n')
    // One that is being written at this moment says only half; it is heard when it stands still.
    if (last === told || last !== before || signal.aborted) return
    const seen = last
    await onChange()
    // Only now: a change that could not be taken over is told again.
    told = seen
  }

  function lookOnce(): void {
    if (isLooking) return
    isLooking = true
    look()
      .catch(() => {})
      .finally(() => (isLooking = false))
  }

  lookOnce()
  const timer = setInterval(lookOnce, LOOK_EVERY_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

/** One that cannot be looked at has a stamp as well: it says why. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path)
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
