import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

const READ_BYTES = 1024 * 1024

// Neither a link nor a pipe in place of a file of a backup can redirect or block the reader.
const READ_ONLY =
  constants.O_RDONLY |
  ((constants.O_NOFOLLOW as number | undefined) ?? 0) |
  ((constants.O_NONBLOCK as number | undefined) ?? 0)

/** The SHA-256 and the size of a file; with `to`, of exactly the bytes that were copied to that new file, durably. */
export async function digestFile(
  path: string,
  { to }: { to?: string } = {},
): Promise<{ sha256: string; sizeBytes: number }> {
  const file = await open(path, READ_ONLY)
  let copy: FileHandle | undefined
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is no file.`)
    copy = to === undefined ? undefined : await open(to, 'wx', 0o600)
    const hash = createHash('sha256')
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    let sizeBytes = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, sizeBytes)
      if (bytesRead === 0) break
      sizeBytes += bytesRead
      const bytes = buffer.subarray(0, bytesRead)
      hash.update(bytes)
      await copy?.writeFile(bytes)
    }
    await copy?.sync()
    return { sha256: hash.digest('hex'), sizeBytes }
  } finally {
    await file.close()
    await copy?.close()
  }
}
