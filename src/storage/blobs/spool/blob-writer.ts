import { endedWriter } from '../blob-error.js'
import type { BlobWriter, CommittedBlob } from '../blob-store.js'
import { checkChunk } from '../check-chunk.js'
import type { TemporaryFile } from './temporary-file.js'

/** Writes to a temporary file that becomes a blob by `commit`, or is removed. */
export function createBlobWriter(
  file: TemporaryFile,
  { commit, ended }: { commit(): Promise<CommittedBlob>; ended(): void },
): BlobWriter {
  let committed: Promise<CommittedBlob> | undefined

  async function finish(): Promise<CommittedBlob> {
    try {
      return await commit()
    } finally {
      // A committed file has already been renamed; any other must be removed.
      await file.discard().catch(() => {})
      ended()
    }
  }

  return {
    async write(chunk) {
      checkChunk(chunk)
      if (committed) throw endedWriter()
      try {
        await file.write(chunk)
      } catch (error) {
        ended()
        throw error
      }
    },
    commit: () => (committed ??= finish()),
    async abort() {
      // A committed file has its name already, or gets it now.
      if (committed) return void (await committed.catch(() => {}))
      await file.discard()
      ended()
    },
  }
}
