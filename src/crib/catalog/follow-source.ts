import type { ToolDraft } from '../../catalog/tool-draft.js'
import { retryDelayMs } from '../../platform/async/retry-delay.js'
import type { Source, SourceStatus, SourceStorage } from '../../sources/source.js'
import { keepListed } from './keep-listed.js'
import type { CatalogWriter, ToolRegistration } from './catalog-writer.js'

export interface FollowOptions {
  readonly writer: CatalogWriter
  readonly storage: SourceStorage
  now(): number
  /** Told after each list that was taken: it may say the same and yet come from a source that is there by now. */
  onListed(): void
  /** Told where a list cannot be had or taken, once for each problem, and once when it is over. */
  onStatus(status: SourceStatus): void
  /** Holds the lists that have begun and have not been taken over. */
  readonly underWay: Set<Promise<void>>
}

/** A source whose tools are in the catalog, and are kept as it lists them. */
export interface FollowedSource {
  /** Opens and lists it, as far as that goes in its time. Resolves with what puts its tools into the catalog. */
  begin(): Promise<() => Promise<void>>
  status(): SourceStatus
  /** Names of what is still being connected to. */
  pending(): readonly string[]
  /** Nothing is heard of it any more; its tools stay. */
  stop(): void
  /** Takes its tools out. */
  dispose(): void
}

/** A crib opens without the tools of a source that needs longer; they come when they are there. */
const FIRST_LIST_MS = 10_000

/**
 * Lists a source once, and again whenever it says that it changed. A list that cannot be had changes nothing in the
 * catalog: it is reported, and asked for again with growing pauses.
 */
export function followSource(source: Source, options: FollowOptions): FollowedSource {
  const { writer, storage, now, onListed, onStatus, underWay } = options
  const over = new AbortController()
  let registration: ToolRegistration | undefined
  let isOpen = false
  let hasBegun = false
  let isOld = false
  let failures = 0
  let problem: string | undefined
  let nextRetryAt: number | undefined
  let timer: NodeJS.Timeout | undefined
  let stopWatching: (() => void) | undefined

  async function list(): Promise<readonly ToolDraft[]> {
    if (!isOpen) await source.open?.(storage)
    isOpen = true
    isOld = false
    return source.list(over.signal)
  }

  async function take(drafts: readonly ToolDraft[]): Promise<void> {
    // One that left meanwhile must not bring its tools back.
    if (over.signal.aborted) return
    if (registration) await registration.replace(drafts)
    else registration = await writer.add(drafts, source.name)
    recover()
    onListed()
  }

  const refresh = keepListed({ list, take, onFailed: fail, underWay })

  function fail(error: unknown): void {
    if (over.signal.aborted) return
    const message = error instanceof Error ? error.message : String(error)
    const isNew = message !== problem
    problem = message
    const waitMs = retryDelayMs(failures++, Math.random())
    nextRetryAt = now() + waitMs
    clearTimeout(timer)
    // It must not keep a process that has nothing else to do.
    timer = setTimeout(refresh, waitMs).unref()
    if (isNew) onStatus(status())
  }

  function recover(): void {
    clearTimeout(timer)
    failures = 0
    if (problem === undefined) return
    problem = nextRetryAt = undefined
    onStatus(status())
  }

  function status(): SourceStatus {
    const tools = registration?.tools.length ?? 0
    if (problem !== undefined) return { name: source.name, state: 'failed', tools, problem, nextRetryAt }
    return { name: source.name, state: registration ? 'ready' : 'connecting', tools }
  }

  return {
    async begin() {
      // Heard of from the beginning: a source may list anew while its first list is being taken over.
      stopWatching = source.watch?.(() => {
        isOld = true
        if (hasBegun) refresh()
      })
      const listed = list().then(
        (drafts) => () => take(drafts),
        (error: unknown) => async () => fail(error),
      )
      const first = await inTime(listed)
      const begun = async (use: () => Promise<void>): Promise<void> => {
        await use().catch(fail)
        hasBegun = true
        if (isOld) refresh()
      }
      if (first) return () => begun(first)
      const late = listed.then(begun).finally(() => underWay.delete(late))
      underWay.add(late)
      return async () => {}
    },
    status,
    pending: () => [...new Set([...pendingOf(source), ...(registration ? [] : [source.name])])],
    stop() {
      over.abort()
      clearTimeout(timer)
      stopWatching?.()
    },
    dispose: () => registration?.dispose(),
  }
}

/** Nothing where it takes longer. */
async function inTime<Value>(work: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), FIRST_LIST_MS)
  })
  const first = await Promise.race([work, patience])
  clearTimeout(timer)
  return first
}

/** A source that cannot say is taken for connecting. */
function pendingOf(source: Source): readonly string[] {
  try {
    return source.pending?.() ?? []
  } catch {
    return [source.name]
  }
}
