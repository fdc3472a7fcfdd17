import { randomBytes } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface FileLockOptions {
  /** A lock this old was left by a process that is gone. Tasks must be shorter. */
  readonly staleAfterMs: number
  /** How long to wait for other holders. */
  readonly waitMs: number
}

const EVERY_MS = 20

/** Runs a task while no other process runs one under the same lock file. */
export async function holdFileLock<T>(
  path: string,
  { staleAfterMs, waitMs }: FileLockOptions,
  task: () => Promise<T>,
): Promise<T> {
  const mark = randomBytes(12).toString('hex')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const untilMs = Date.now() + waitMs
  while (!take(path, mark)) {
    breakStale(path, staleAfterMs)
    if (Date.now() > untilMs) throw new Error(`${path} is held by another process for too long.`)
    await sleep(EVERY_MS)
  }
  try {
    return await task()
  } finally {
    release(path, mark)
  }
}

function take(path: string, mark: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeSync(file, mark)
    } finally {
      closeSync(file)
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Moved away before it is removed: of several processes that find it stale, only one removes it. */
function breakStale(path: string, staleAfterMs: number): void {
  try {
    if (Date.now() - statSync(path).mtimeMs < staleAfterMs) return
    const aside = `${path}.${randomBytes(6).toString('hex')}`
    renameSync(path, aside)
    rmSync(aside, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Only the own lock: after too long a task, another process may hold it. */
function release(path: string, mark: string): void {
  try {
    if (readFileSync(path, 'utf8') === mark) rmSync(path, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
