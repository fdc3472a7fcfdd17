import { read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { sha256 } from '../../../../platform/json/sha256.js'
import { fileProblem, shown } from './file-problem.js'
import type { OpenedFile } from './open-checked.js'

const readAsync = promisify(read)

/** The largest file that is read as a whole. */
export const MAX_WHOLE_BYTES = 64 * 1024 * 1024
/** Smaller reads take less time than handing them to another thread. */
const SYNC_BYTES = 256 * 1024

/** A part of a file; shorter where the file ends. */
export async function readRange({ descriptor }: OpenedFile, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const count = await readSome(descriptor, bytes, filled, start + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

async function readSome(
  descriptor: number,
  bytes: Buffer,
  filled: number,
  position: number,
): Promise<number> {
  const length = bytes.length - filled
  if (length <= SYNC_BYTES) return readSync(descriptor, bytes, filled, length, position)
  return (await readAsync(descriptor, bytes, filled, length, position)).bytesRead
}

/** All bytes of a file of up to `MAX_WHOLE_BYTES`. A file can be longer than the system says, or grow meanwhile. */
export async function readWhole(file: OpenedFile, path: string): Promise<Buffer> {
  const { size } = file.stats
  const first = size > MAX_WHOLE_BYTES ? Buffer.alloc(0) : await readRange(file, 0, size + 1)
  if (first.length <= size && size <= MAX_WHOLE_BYTES) return first
  const parts = [first]
  let total = first.length
  while (total <= MAX_WHOLE_BYTES) {
    const part = await readRange(file, total, SYNC_BYTES)
    parts.push(part)
    total += part.length
    if (part.length < SYNC_BYTES) return Buffer.concat(parts)
  }
  throw fileProblem(
    'too_large',
    `${shown(path)} is larger than ${MAX_WHOLE_BYTES / 1024 / 1024} MB, which is the most that this tool works with.`,
  )
}

/** The SHA-256 of bytes, as results have it. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${sha256(bytes)}`
}
