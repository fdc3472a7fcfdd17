import { PAYLOAD_KIND } from '../../results/payloads/payload-record.js'
import type { Journal } from '../../storage/journal/journal.js'
import { updateDocument } from '../../storage/update-document.js'
import { sweepPayloads, type Swept } from './sweep-payloads.js'
import type { LazyBlobs } from './open-blobs.js'

export interface Sweeper {
  /** Calls during a sweep of this process get its result; during a sweep of another process, the result is `skipped`. */
  sweep(tenant: string): Promise<Swept>
  /** Sweeps every tenant with records at intervals; does not keep the process alive. */
  start(tenant: string): void
  stop(): void
}

export const SWEEP_KIND = 'sweep'
const LEASE_MS = 10 * 60 * 1000
const EVERY_MS = 60 * 60 * 1000
const SKIPPED: Swept = { expired: 0, removed: 0, bytes: 0, skipped: true }

/** One process sweeps at a time: a second one could remove bytes that are being written again. */
export function createSweep({
  journal,
  blobs,
  now,
}: {
  journal: Journal
  blobs: LazyBlobs
  now(): number
}): Sweeper {
  const { store } = journal
  const running = new Map<string, Promise<Swept>>()
  let timer: NodeJS.Timeout | undefined

  /** The revision of the lease; `undefined` if another process holds it. */
  function take(tenant: string): Promise<number | undefined> {
    return updateDocument<number | undefined>(
      store,
      { tenant, kind: SWEEP_KIND, id: SWEEP_KIND },
      (held) => {
        const at = now()
        if (held && (held.value as { until: number }).until > at) return { result: undefined }
        return { value: { until: at + LEASE_MS }, result: (held?.revision ?? 0) + 1 }
      },
      { now },
    )
  }

  function sweep(tenant: string): Promise<Swept> {
    const now = running.get(tenant)
    if (now) return now
    const begun = sweepNow(tenant).finally(() => running.delete(tenant))
    running.set(tenant, begun)
    return begun
  }

  async function sweepNow(tenant: string): Promise<Swept> {
    await journal.flush()
    const lease = await take(tenant)
    if (lease === undefined) return SKIPPED
    try {
      return await sweepPayloads({ store, blobs, now }, tenant)
    } finally {
      await journal.put({
        tenant,
        kind: SWEEP_KIND,
        id: SWEEP_KIND,
        updatedAt: now(),
        value: { until: 0 },
        expectedRevision: lease,
      })
    }
  }

  async function sweepAll(home: string): Promise<void> {
    const tenants = new Set<string>()
    if (blobs.mayHold()) for await (const { tenant } of (await blobs.open()).list()) tenants.add(tenant)
    await sweep(home)
    for (const tenant of tenants) {
      // Bytes of a tenant without records here may belong to another store: several stores can share a blob store.
      const isKnown =
        (await store.listDocuments({ tenant, kind: PAYLOAD_KIND, limit: 1 })).documents.length > 0
      if (tenant !== home && isKnown) await sweep(tenant)
    }
  }

  return {
    sweep,
    start(tenant) {
      // A failed sweep is repeated at the next interval.
      timer = setInterval(() => void sweepAll(tenant).catch(() => {}), EVERY_MS).unref()
    },
    stop: () => clearInterval(timer),
  }
}
