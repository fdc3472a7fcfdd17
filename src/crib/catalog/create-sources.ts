import { setTimeout as sleep } from 'node:timers/promises'
import { createSerialQueue } from '../../platform/async/create-serial-queue.js'
import type { Source, SourceStatus } from '../../sources/source.js'
import { followSource, type FollowedSource, type FollowOptions } from './follow-source.js'

export interface OpenSources {
  /** Opens the sources; resolves when each has listed its tools or has reached the time limit. */
  open(sources: readonly Source[]): Promise<void>
  /** Names of the sources that are still connecting. */
  pending(): string[]
  /** The status of each source. */
  status(): SourceStatus[]
  /** Resolves when all tools listed so far are in the catalog. Does not wait for a list that never comes. */
  caughtUp(): Promise<void>
  /** Replaces the open sources. A source that stays keeps its tools; one that is removed is closed. */
  replace(sources: readonly Source[]): Promise<void>
  close(): Promise<void>
}

const CATCH_UP_MS = 5_000

/**
 * Opens sources in parallel and follows their lists. A source that fails is reported and retried; the others are not
 * affected.
 */
export function createSources(options: Omit<FollowOptions, 'underWay'>): OpenSources {
  const opened = new Map<Source, FollowedSource>()
  const underWay = new Set<Promise<void>>()
  const changes = createSerialQueue()
  let isClosed = false

  async function open(next: readonly Source[]): Promise<void> {
    const begun = next.map((source) => {
      const followed = followSource(source, { ...options, underWay })
      opened.set(source, followed)
      return followed.begin()
    })
    // In the order of the sources, whatever their speed: if two have a tool of the same name, the first one keeps it.
    for (const listed of begun) await (await listed)()
  }

  async function leave(source: Source): Promise<void> {
    const followed = opened.get(source)
    opened.delete(source)
    followed?.stop()
    followed?.dispose()
    await source.close?.()
  }

  /** Removals come first: a new source may have tools of the same names. */
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

  return {
    open,
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
    replace: (next) => changes.run(() => change(next)),
  }
}
