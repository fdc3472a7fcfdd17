import type { BlobUsage } from './blob-store.js'

/** Reports the usage of all digests up to one, beyond what was reported before. */
export type Covered = (upTo: string, usage: BlobUsage) => void

export interface UsageCountOptions {
  /** How old a count may be before a read starts another. */
  staleMs: number
  /** Walks a tenant's blobs in the order of their digests. */
  walk(tenant: string, covered: Covered): Promise<void>
}

export interface UsageCount {
  of(tenant: string): Promise<BlobUsage>
  /** A change by this process. Must be reported before a count can pass it. */
  changed(tenant: string, hex: string, change: BlobUsage): void
}

interface Tally extends BlobUsage {
  upTo: string
}

interface Counted {
  current: BlobUsage | undefined
  countedAt: number
  running: { tally: Tally; done: Promise<void> } | undefined
}

/** Counts once, updates the count by local changes, and counts again in the background for changes elsewhere. */
export function createUsageCount({ staleMs, walk }: UsageCountOptions): UsageCount {
  const counts = new Map<string, Counted>()

  function recount(tenant: string, counted: Counted): Promise<void> {
    if (counted.running) return counted.running.done
    const tally: Tally = { upTo: '', bytes: 0, count: 0 }
    const count = async (): Promise<void> => {
      try {
        await walk(tenant, (upTo, usage) => {
          add(tally, usage)
          tally.upTo = upTo
        })
        counted.current = { bytes: tally.bytes, count: tally.count }
        counted.countedAt = Date.now()
      } finally {
        counted.running = undefined
      }
    }
    const done = count()
    counted.running = { tally, done }
    return done
  }

  return {
    async of(tenant) {
      let counted = counts.get(tenant)
      if (!counted) counts.set(tenant, (counted = { current: undefined, countedAt: 0, running: undefined }))
      if (!counted.current) await recount(tenant, counted)
      // A count that fails is tried again at the next read; until then the old count is used.
      else if (Date.now() - counted.countedAt > staleMs) recount(tenant, counted).catch(() => {})
      return { bytes: counted.current?.bytes ?? 0, count: counted.current?.count ?? 0 }
    },
    changed(tenant, hex, change) {
      const counted = counts.get(tenant)
      if (counted?.current) add(counted.current, change)
      const tally = counted?.running?.tally
      if (tally && hex <= tally.upTo) add(tally, change)
    },
  }
}

function add(usage: BlobUsage, { bytes, count }: BlobUsage): void {
  usage.bytes += bytes
  usage.count += count
}
