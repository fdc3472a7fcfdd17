import { setTimeout as sleep } from 'node:timers/promises'
import type { Source, SourceHouse } from '../../sources/source.js'
import { keepListed } from './keep-listed.js'
import type { Delivery, Stock } from './catalog-writer.js'

export interface OpenSources {
  /** Names of those that are still being connected to. */
  pending(): string[]
  /** Resolves when what they have listed by now is in the catalog. A list that never comes is not waited for. */
  caughtUp(): Promise<void>
  /** Puts these in place of those that are open. A source that stays keeps its tools; one that leaves is closed. */
  replace(sources: readonly Source[]): Promise<void>
  close(): Promise<void>
}

interface OpenSource {
  delivery?: Delivery
  stop?: (() => void) | undefined
}

const CATCH_UP_MS = 5_000

/**
 * Lists every source once, and again whenever it says that it changed: `onListed` is told, for a list may say the same
 * and yet come from a source that is there by now. A list that cannot be had changes nothing.
 */
export async function openSources(
  sources: readonly Source[],
  { stock, house, onListed }: { stock: Stock; house: SourceHouse; onListed(): void },
): Promise<OpenSources> {
  const controller = new AbortController()
  const opened = new Map<Source, OpenSource>()
  const underWay = new Set<Promise<void>>()
  let lastChange: Promise<void> = Promise.resolve()

  async function open(source: Source): Promise<void> {
    const state: OpenSource = {}
    let isOld = false
    const refresh = keepListed({
      list: async () => source.list(controller.signal),
      async take(drafts) {
        // One that left meanwhile must not bring its tools back.
        if (opened.get(source) !== state) return
        await state.delivery!.replace(drafts)
        onListed()
      },
      underWay,
    })
    // Heard of from the beginning: a source may list anew while its first list is being taken over.
    const changed = (): void => {
      isOld = true
      if (state.delivery) refresh()
    }
    opened.set(source, state)
    state.stop = source.watch?.(changed)
    await source.open?.(house)
    isOld = false
    state.delivery = await stock.add(await source.list(controller.signal), source.name)
    if (isOld) changed()
  }

  async function leave(source: Source): Promise<void> {
    const state = opened.get(source)
    opened.delete(source)
    state?.stop?.()
    state?.delivery?.dispose()
    await source.close?.()
  }

  /** Those that leave come first: a source that comes may have tools of the same names. */
  async function change(next: readonly Source[]): Promise<void> {
    if (controller.signal.aborted) return
    const leaving = [...opened.keys()].filter((source) => !next.includes(source))
    for (const source of leaving) await leave(source).catch(() => {})
    for (const source of next) if (!opened.has(source)) await open(source)
    onListed()
  }

  async function close(): Promise<void> {
    controller.abort()
    for (const { stop } of opened.values()) stop?.()
    const closed = await Promise.allSettled([...opened.keys()].map(async (source) => source.close?.()))
    const failed = closed.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
  }

  try {
    for (const source of sources) await open(source)
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
  return {
    close,
    pending: () => [...new Set([...opened.keys()].flatMap(pendingOf))],
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

/** A source that cannot say is taken for connecting. */
function pendingOf(source: Source): readonly string[] {
  try {
    return source.pending?.() ?? []
  } catch {
    return [source.name]
  }
}
