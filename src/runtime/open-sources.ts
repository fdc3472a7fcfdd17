import { setTimeout as sleep } from 'node:timers/promises'
import type { Source, SourceHouse } from '../supply/sources/source.js'
import { keepListed } from './keep-listed.js'
import type { Delivery, Stock } from './stock.js'

export interface OpenSources {
  /** Names of those that are still being connected to. */
  pending(): string[]
  /** Resolves when what they have listed by now is in the catalog. A list that never comes is not waited for. */
  caughtUp(): Promise<void>
  close(): Promise<void>
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
  const stops: (() => void)[] = []
  const opened: Source[] = []
  const underWay = new Set<Promise<void>>()

  async function open(source: Source): Promise<void> {
    let delivery: Delivery | undefined
    let isOld = false
    const refresh = keepListed({
      list: async () => source.list(controller.signal),
      async take(drafts) {
        await delivery!.replace(drafts)
        onListed()
      },
      underWay,
    })
    // Heard of from the beginning: a source may list anew while its first list is being taken over.
    const changed = (): void => {
      isOld = true
      if (delivery) refresh()
    }
    opened.push(source)
    const stop = source.watch?.(changed)
    if (stop) stops.push(stop)
    await source.open?.(house)
    isOld = false
    delivery = await stock.add(await source.list(controller.signal), source.name)
    if (isOld) changed()
  }

  async function close(): Promise<void> {
    controller.abort()
    for (const stop of stops) stop()
    const closed = await Promise.allSettled(opened.map(async (source) => source.close?.()))
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
    pending: () => [...new Set(opened.flatMap(pendingOf))],
    async caughtUp() {
      if (underWay.size === 0) return
      const late = new AbortController()
      const patience = sleep(CATCH_UP_MS, undefined, { ref: false, signal: late.signal }).catch(() => {})
      const all = Promise.all(underWay).then(() => Promise.all(underWay))
      await Promise.race([all, patience])
      late.abort()
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
