import type { ExecuteContext } from '../../../catalog/execute-context.js'

/** What each session has last seen of each file, so that it does not overwrite changes that it has not seen. */
export interface SeenFiles {
  keep(context: Run, real: string, digest: string): void
  /** The digest of the content that the session saw; undefined if it has not seen the file. */
  find(context: Run, real: string): string | undefined
  forget(context: Run, real: string): void
}

type Run = Pick<ExecuteContext, 'tenant' | 'session' | 'surfaceId'>

const MAX_FILES = 10_000

export function createSeenFiles(): SeenFiles {
  // In the order of use: the oldest are forgotten.
  const digests = new Map<string, string>()
  const keyOf = ({ tenant, session, surfaceId }: Run, real: string): string =>
    JSON.stringify([tenant, session ?? surfaceId, real])
  return {
    keep(context, real, digest) {
      const key = keyOf(context, real)
      digests.delete(key)
      digests.set(key, digest)
      if (digests.size > MAX_FILES) digests.delete(digests.keys().next().value!)
    },
    find: (context, real) => digests.get(keyOf(context, real)),
    forget: (context, real) => void digests.delete(keyOf(context, real)),
  }
}
