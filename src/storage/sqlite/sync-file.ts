import { close, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncData = promisify(fdatasync)

/** Waits for the disk without blocking the event loop; requests that arrive during one sync share the next. */
export function createFileSync(path: string): { sync(): Promise<void>; close(): Promise<void> } {
  let descriptor: number | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function run(): Promise<void> {
    try {
      descriptor ??= await openFile(path, 'r+')
      await syncData(descriptor)
    } finally {
      running = undefined
    }
  }

  return {
    sync() {
      if (!running) return (running = run())
      // The running sync may have started before the caller's write: wait for the one after it.
      next ??= running
        .catch(() => {})
        .then(() => {
          next = undefined
          return (running = run())
        })
      return next
    },
    async close() {
      await running?.catch(() => {})
      if (descriptor !== undefined) await closeFile(descriptor)
    },
  }
}
