import { setTimeout as sleep } from 'node:timers/promises'
import type { Source, SourceStatus } from '../../sources/source.js'
import { followSource, type FollowedSource, type FollowOptions } from './follow-source.js'

export interface OpenSources {
  /** Names of those that are still being connected to. */
  pending(): string[]
  /** How each of them is. */
  status(): SourceStatus[]
  /** Resolves when what they have listed by now is in the catalog. A list that never comes is not waited for. */
  caughtUp(): Promise<void>
  /** Puts these in place of those that are open. A source that stays keeps its tools; one that leaves is closed. */
  replace(sources: readonly Source[]): Promise<void>
  close(): Promise<void>
}

const CATCH_UP_MS = 5_000

/** Opens sources side by side and follows their lists. One that fails is reported and tried again; the others go on. */
export async function openSources(
  sources: readonly Source[],
  options: Omit<FollowOptions, 'underWay'>,
): Promise<OpenSources> {
  const opened = new Map<Source, FollowedSource>()
  const underWay = new Set<Promise<void>>()
  let lastChange: Promise<void> = Promise.resolve()
  let isClosed = false

  async function open(next: readonly Source[]): Promise<void> {
    const begun = next.map((source) => {
      const followed = followSource(source, { ...options, underWay })
      opened.set(source, followed)
      return followed.begin()
    })
    // In their order, however fast they are: of two that have a tool of one name, the first one keeps it.
    for (const listed of begun) await (await listed)()
  }

  async function leave(source: Source): Promise<void> {
    const followed = opened.get(source)
    opened.delete(source)
    followed?.stop()
    followed?.dispose()
    await source.close?.()
  }

  /** Those that leave come first: a source that comes may have tools of the same names. */
  async function change(next: readonly Source[]): Promise<void> {
    if (isClosed) return
    const leaving = [...opened.keys()].filter((source) => !next.includes(source))
    for (const source of leaving) await leave(source).catch(() => {})
    await open(next.filter((source) => !opened.has(source)))
    options.onListed()
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const followed of opened.values()) followed.stop()
    const closed = await Promise.allSettled([...opened.keys()].map(async (source) => source.close?.()))
    const failed = closed.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
  }

  try {
    await open(sources)
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
  return {
    close,
    pending: () => [...new Set([...opened.values()].flatMap((each) => each.pending()))],
    status: () => [...opened.values()].map((each) => each.status()),
    async caughtUp() {
      if (underWay.size === 0) return
      const late = new AbortController()
      const patience = sleep(CATCH_UP_MS, undefined, { ref: false, signal: late.signal }).catch(() => {})
      const all = Promise.all(underWay).then(() => Promise.all(underWay))
      await Promise.race([all, patience])
      late.abort()
    },
    replace(next) {
      const done = lastChange.then(() => change(next))
      lastChange = done.catch(() => {})
      return done
    },
  }
}
