import type { Source, SourceHouse } from '../supply/sources/source.js'
import { keepListed } from './keep-listed.js'
import type { Stock } from './stock.js'

export interface OpenSources {
  /** Names of those that are still being connected to. */
  pending(): string[]
  close(): Promise<void>
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
  const stops: (() => void)[] = []
  const opened: Source[] = []

  async function close(): Promise<void> {
    controller.abort()
    for (const stop of stops) stop()
    const closed = await Promise.allSettled(opened.map(async (source) => source.close?.()))
    const failed = closed.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
  }

  try {
    for (const source of sources) {
      opened.push(source)
      await source.open?.(house)
      const delivery = await stock.add(await source.list(controller.signal), source.name)
      const refresh = keepListed({
        list: async () => source.list(controller.signal),
        async take(drafts) {
          await delivery.replace(drafts)
          onListed()
        },
      })
      const stop = source.watch?.(refresh)
      if (stop) stops.push(stop)
    }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
  return { close, pending: () => [...new Set(opened.flatMap(pendingOf))] }
}

/** A source that cannot say is taken for connecting. */
function pendingOf(source: Source): readonly string[] {
  try {
    return source.pending?.() ?? []
  } catch {
    return [source.name]
  }
}
