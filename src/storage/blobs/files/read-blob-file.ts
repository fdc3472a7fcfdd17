import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { corruptBlob, missingBlob } from '../blob-error.js'
import type { BlobReadOptions } from '../blob-store.js'
import { resolveRange } from '../resolve-range.js'
import { fileFailure } from '../spool/file-failure.js'

const READ_BYTES = 512 * 1024

// Neither a link nor a pipe in place of a blob can redirect or block the reader.
const READ_ONLY =
  constants.O_RDONLY |
  ((constants.O_NOFOLLOW as number | undefined) ?? 0) |
  ((constants.O_NONBLOCK as number | undefined) ?? 0)

/** The bytes of a blob's file. Stays readable to its end when the file is removed or replaced meanwhile. */
export async function* readBlobFile(
  path: string,
  hex: string,
  options: BlobReadOptions,
): AsyncGenerator<Uint8Array> {
  const file = await openBlobFile(path, hex)
  try {
    const { start, end, isWhole } = resolveRange(options, await sizeOf(file, hex))
    const hash = options.verify && isWhole ? createHash('sha256') : undefined
    for (let at = start; at < end;) {
      const bytes = await readAt(file, path, at, Math.min(READ_BYTES, end - at))
      // Shorter than a moment ago: it was truncated, and the rest is not the blob.
      if (bytes.length === 0) throw corruptBlob(hex)
      at += bytes.length
      hash?.update(bytes)
      yield bytes
    }
    if (hash && hash.digest('hex') !== hex) throw corruptBlob(hex)
  } finally {
    await file.close()
  }
}

async function openBlobFile(path: string, hex: string): Promise<FileHandle> {
  try {
    return await open(path, READ_ONLY)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw missingBlob(hex)
    if (code === 'ELOOP' || code === 'ENXIO') throw corruptBlob(hex)
    throw fileFailure(error, path)
  }
}

async function sizeOf(file: FileHandle, hex: string): Promise<number> {
  const stat = await file.stat()
  if (!stat.isFile()) throw corruptBlob(hex)
  return stat.size
}

async function readAt(file: FileHandle, path: string, at: number, length: number): Promise<Uint8Array> {
  try {
    // A new buffer for each chunk: the reader may keep it.
    const buffer = Buffer.allocUnsafeSlow(length)
    const { bytesRead } = await file.read(buffer, 0, length, at)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    throw fileFailure(error, path)
  }
}
