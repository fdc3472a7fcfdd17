import { stat } from 'node:fs/promises'

const LOOK_EVERY_MS = 400

/**
 * Reports when files were changed, added or removed, until the signal is aborted; and once at the start, since they may
 * have changed after they were read. A function is asked each time which files there are. Files are polled: the notifications of operating systems differ, and stop when a
 * file is replaced by another.
 */
export function watchFiles(
  /** The files, or how to list them: then files that are added later are watched too. */
  paths: readonly string[] | (() => Promise<readonly string[]>),
  { onChange, signal }: { onChange(): Promise<void>; signal: AbortSignal },
): void {
  let reported: string | undefined
  let last: string | undefined
  let isLooking = false

  async function look(): Promise<void> {
    const before = last
    const listed = typeof paths === 'function' ? await paths() : paths
    last = (await Promise.all(listed.map(async (path) => `${path} ${await stampOf(path)}`))).join('\n')
    // A file that is being written is incomplete; it is reported once it stays the same.
    if (last === reported || last !== before || signal.aborted) return
    const seen = last
    await onChange()
    // Only now: a change whose handling failed is reported again.
    reported = seen
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

/** A file that cannot be read has a stamp as well: the reason. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path)
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
