import { endedWriter } from '../blob-error.js'
import type { BlobWriter, CommittedBlob } from '../blob-store.js'
import { checkChunk } from '../check-chunk.js'
import type { TemporaryFile } from './temporary-file.js'

/** What gathers in a temporary file and becomes a blob by `commit`, or nothing. */
export function createBlobWriter(
  file: TemporaryFile,
  { commit, ended }: { commit(): Promise<CommittedBlob>; ended(): void },
): BlobWriter {
  let committed: Promise<CommittedBlob> | undefined

  async function finish(): Promise<CommittedBlob> {
    try {
      return await commit()
    } finally {
      // What has its name by now is no longer there; all else must not stay.
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
      // What was committed has its name already, or is about to.
      if (committed) return void (await committed.catch(() => {}))
      await file.discard()
      ended()
    },
  }
}
