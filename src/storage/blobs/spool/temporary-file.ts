import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { createSerialQueue } from '../../../platform/async/create-serial-queue.js'
import { endedWriter } from '../blob-error.js'
import { fileFailure } from './file-failure.js'
import { markWriter } from './writer-mark.js'

export interface FinishedFile {
  path: string
  hex: string
  sizeBytes: number
  storedAt: number
}

/** The bytes of a future blob: in a file that only this user can read, under a name that no reader uses. */
export interface TemporaryFile {
  write(chunk: Uint8Array): Promise<void>
  /** All bytes are on the disk when it resolves, unless it only passes through. */
  finish(): Promise<FinishedFile>
  /** Closes and removes the file. Does nothing when it no longer exists. */
  discard(): Promise<void>
}

const EXCLUSIVE =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_EXCL |
  ((constants.O_NOFOLLOW as number | undefined) ?? 0)

// Most outputs are small; larger ones get two buffers, of which one is filled while the other is written.
const FIRST_BYTES = 64 * 1024
const BUFFER_BYTES = 1024 * 1024

export interface TemporaryFileOptions {
  /** The file is only uploaded and then removed: it need not survive a crash, so nothing waits for the disk. */
  isPassing?: boolean
}

export async function createTemporaryFile(
  folder: string,
  options: TemporaryFileOptions = {},
): Promise<TemporaryFile> {
  const path = join(folder, markWriter())
  let handle: FileHandle | undefined
  try {
    handle = await open(path, EXCLUSIVE, 0o600)
    // A umask may have removed even the owner's permissions.
    await handle.chmod(0o600)
  } catch (error) {
    await handle?.close().catch(() => {})
    await rm(path, { force: true }).catch(() => {})
    throw fileFailure(error, folder)
  }
  return fillFile(handle, path, options)
}

function fillFile(file: FileHandle, path: string, { isPassing }: TemporaryFileOptions): TemporaryFile {
  let handle: FileHandle | undefined = file
  const hash = createHash('sha256')
  let sizeBytes = 0
  let buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  let used = 0
  let spare: Buffer | undefined
  let written: Promise<void> = Promise.resolve()
  let isEnded = false

  async function flush(): Promise<void> {
    await written
    if (!handle) throw endedWriter()
    const full = buffer
    const bytes = full.subarray(0, used)
    written = writeAll(handle, bytes).then(() => void (spare = full))
    // The next write awaits it and gets its failure; until then a rejection must not count as unhandled.
    written.catch(() => {})
    hash.update(bytes)
    buffer = spare && spare.length === BUFFER_BYTES ? spare : Buffer.allocUnsafeSlow(BUFFER_BYTES)
    spare = undefined
    used = 0
  }

  async function append(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + buffer.length - used)
      buffer.set(part, used)
      used += part.length
      at += part.length
      if (used === buffer.length) await flush()
    }
    sizeBytes += chunk.length
  }

  async function complete(): Promise<FinishedFile> {
    await flush()
    await written
    if (!handle) throw endedWriter()
    const storedAt = Date.now()
    // The last write may be long ago; the time of the commit counts.
    await handle.utimes(storedAt / 1000, storedAt / 1000)
    if (!isPassing) await handle.sync()
    const open = handle
    handle = undefined
    await open.close()
    return { path, hex: hash.digest('hex'), sizeBytes, storedAt }
  }

  async function discard(): Promise<void> {
    isEnded = true
    const open = handle
    handle = undefined
    // A running write would find its file closed.
    await written.catch(() => {})
    await open?.close().catch(() => {})
    await rm(path, { force: true })
  }

  async function orDiscard<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work
    } catch (error) {
      await discard().catch(() => {})
      throw fileFailure(error, path)
    }
  }

  const writes = createSerialQueue()
  return {
    write(chunk) {
      return writes.run(() => {
        if (isEnded) throw endedWriter()
        return orDiscard(append(chunk))
      })
    },
    async finish() {
      await writes.idle()
      if (isEnded) throw endedWriter()
      isEnded = true
      return orDiscard(complete())
    },
    discard,
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten
}
