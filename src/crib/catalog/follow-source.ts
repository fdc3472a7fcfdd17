import type { ToolDraft } from '../../catalog/tool-draft.js'
import { retryDelayMs } from '../../platform/async/retry-delay.js'
import { withTimeLimit } from '../../platform/async/with-time-limit.js'
import { errorMessage } from '../../platform/text/error-message.js'
import type { Source, SourceStatus, SourceStorage } from '../../sources/source.js'
import type { OfferedAgent } from '../../sources/agent-surface.js'
import type { Agents } from './agents.js'
import { keepListed } from './keep-listed.js'
import type { CatalogWriter, ToolRegistration } from './catalog-writer.js'

export interface FollowOptions {
  readonly writer: CatalogWriter
  readonly agents: Agents
  readonly storage: SourceStorage
  now(): number
  /** Called after each applied list, even if it is unchanged: the source may have connected meanwhile. */
  onListed(): void
  /** Called once for each problem with a list, and once when it is resolved. */
  onStatus(status: SourceStatus): void
  /** The lists that have been requested and not applied. */
  readonly underWay: Set<Promise<void>>
}

/** A source whose tools are in the catalog and follow its lists. */
export interface FollowedSource {
  /** Opens and lists the source within the time limit. Resolves with a function that adds its tools to the catalog. */
  begin(): Promise<() => Promise<void>>
  status(): SourceStatus
  /** Names of the servers that it is still connecting to. */
  pending(): readonly string[]
  /** Stops following the source; its tools stay. */
  stop(): void
  /** Removes its tools. */
  dispose(): void
}

/** The time limit of the first list. A slower source does not delay the crib; its tools are added later. */
const FIRST_LIST_MS = 10_000

/**
 * Lists a source once, and again after each change that it reports. A failed list does not change the catalog: it is
 * reported and retried with growing delays.
 */
export function followSource(source: Source, options: FollowOptions): FollowedSource {
  const { writer, agents, storage, now, onListed, onStatus, underWay } = options
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

  async function list(): Promise<SourceList> {
    if (!isOpen) await source.open?.(storage)
    isOpen = true
    isOld = false
    const drafts = await source.list(over.signal)
    return { drafts, agents: source.surfaces?.() }
  }

  async function take({ drafts, agents: offered }: SourceList): Promise<void> {
    // A source that was removed meanwhile must not add its tools again.
    if (over.signal.aborted) return
    // Before the tools: an agent that is tightened must not get a new tool under its old conditions.
    agents.set(source, offered && { name: source.entry ?? source.name, agents: offered })
    if (registration) await registration.replace(drafts)
    else registration = await writer.add(drafts, source.name)
    recover()
    onListed()
  }

  const refresh = keepListed({ list, take, onFailed: fail, underWay })

  function fail(error: unknown): void {
    if (over.signal.aborted) return
    const message = errorMessage(error)
    const isNew = message !== problem
    problem = message
    const waitMs = retryDelayMs(failures++, Math.random())
    nextRetryAt = now() + waitMs
    clearTimeout(timer)
    // The timer must not keep the process alive.
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
      // Watched from the start: a source may change while its first list is being applied.
      stopWatching = source.watch?.(() => {
        isOld = true
        if (hasBegun) refresh()
      })
      const listed = list().then(
        (found) => () => take(found),
        (error: unknown) => async () => fail(error),
      )
      const first = await withTimeLimit(listed, FIRST_LIST_MS)
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
    dispose() {
      agents.set(source, undefined)
      registration?.dispose()
    },
  }
}

interface SourceList {
  readonly drafts: readonly ToolDraft[]
  readonly agents: ReadonlyMap<string, OfferedAgent> | undefined
}

/** A source whose `pending` fails counts as connecting. */
function pendingOf(source: Source): readonly string[] {
  try {
    return source.pending?.() ?? []
  } catch {
    return [source.name]
  }
}
