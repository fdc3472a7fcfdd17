import { isoTime } from '../../contract/iso-time.js'
import {
  isExpired,
  PAYLOAD_KIND,
  UNWANTED_KIND,
  type PayloadRecord,
} from '../../results/payloads/payload-record.js'
import type { LazyBlobs } from './open-blobs.js'
import type { Store } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'

/** What a sweep took away. */
export interface Swept {
  /** Payloads whose time was over; their records stay. */
  expired: number
  /** Blobs that nothing referred to any more. */
  removed: number
  bytes: number
  /** Nothing was done: another process is sweeping. */
  skipped?: true
}

/** What was written a moment ago may not be on record yet. */
const GRACE_MS = 60 * 60 * 1000
/** What somebody did not want goes sooner; another call may still be about to make a record of the same bytes. */
const UNWANTED_GRACE_MS = 5 * 60 * 1000

/** Removes the bytes of payloads whose time is over, and whatever no record refers to. */
export async function sweepPayloads(
  { store, blobs, now }: { store: Store; blobs: LazyBlobs; now: () => number },
  tenant: string,
): Promise<Swept> {
  const at = now()
  const inUse = new Set<string>()
  let expired = 0
  for await (const { value, revision } of walkDocuments(store, { tenant, kind: PAYLOAD_KIND })) {
    const record = value as PayloadRecord
    if (!isExpired(record, at)) {
      inUse.add(record.digest)
      if (record.index_digest !== undefined) inUse.add(record.index_digest)
    } else if (record.expired_at === undefined) {
      expired++
      await markExpired(store, { record, revision, tenant, at })
    }
  }
  const swept: Swept = { expired, removed: 0, bytes: 0 }
  if (!blobs.mayHold()) return swept
  const opened = await blobs.open()
  const unwanted = new Set<string>()
  for await (const { id } of walkDocuments(store, { tenant, kind: UNWANTED_KIND })) unwanted.add(id)
  for await (const { digest, sizeBytes } of opened.list(tenant)) {
    if (inUse.has(digest)) continue
    const graceMs = unwanted.has(digest) ? UNWANTED_GRACE_MS : GRACE_MS
    if (await opened.remove(tenant, digest, { ifStoredBefore: at - graceMs })) {
      swept.removed++
      swept.bytes += sizeBytes
    } else unwanted.delete(digest)
  }
  await forget(store, { unwanted, tenant, at })
  return swept
}

/** Those that are gone, and those that a record refers to after all. */
async function forget(
  store: Store,
  { unwanted, tenant, at }: { unwanted: ReadonlySet<string>; tenant: string; at: number },
): Promise<void> {
  if (unwanted.size === 0) return
  await store.write({
    documents: [...unwanted].map((id) => ({
      tenant,
      kind: UNWANTED_KIND,
      id,
      updatedAt: at,
      value: undefined,
    })),
  })
}

/** Said before the bytes go: a reader then hears that they expired, not that they are missing. */
async function markExpired(
  store: Store,
  { record, revision, tenant, at }: { record: PayloadRecord; revision: number; tenant: string; at: number },
): Promise<void> {
  const value: PayloadRecord = { ...record, expired_at: isoTime(at) }
  await store.write({
    documents: [
      { tenant, kind: PAYLOAD_KIND, id: record.uri, updatedAt: at, value, expectedRevision: revision },
    ],
  })
}
