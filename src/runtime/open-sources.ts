import type { Source, SourceHouse } from '../supply/sources/source.js'
import type { Delivery, Stock } from './stock.js'

export interface OpenSources {
  /** Names of those that are still being connected to. */
  pending(): string[]
  /** Puts these in place of those that are open. A source that stays keeps its tools; one that leaves is closed. */
  replace(sources: readonly Source[]): Promise<void>
  close(): Promise<void>
}

interface OpenSource {
  delivery?: Delivery
  stop?: () => void
}

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
  let lastChange: Promise<void> = Promise.resolve()

  async function open(source: Source): Promise<void> {
    const state: OpenSource = {}
    opened.set(source, state)
    await source.open?.(house)
    const delivery = await stock.add(await source.list(controller.signal), source.name)
    state.delivery = delivery
    const refresh = async (): Promise<void> => {
      const drafts = await source.list(controller.signal)
      // One that left meanwhile must not bring its tools back.
      if (opened.get(source) !== state) return
      await delivery.replace(drafts)
      onListed()
    }
    const stop = source.watch?.(() => void refresh().catch(() => {}))
    if (stop) state.stop = stop
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
