import { nextTurn } from '../../platform/async/next-turn.js'
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

/** The result of a sweep. */
export interface Swept {
  /** Expired payloads; their records stay. */
  expired: number
  /** Unreferenced blobs. */
  removed: number
  bytes: number
  /** Nothing was done: another process is sweeping. */
  skipped?: true
}

/** New bytes may not be recorded yet. */
const GRACE_MS = 60 * 60 * 1000
/** Unwanted bytes are removed sooner; another call may still be about to record the same bytes. */
const UNWANTED_GRACE_MS = 5 * 60 * 1000
/** More documents in one write would block other work. */
const FORGET_AT_ONCE = 200

/** Removes the bytes of expired payloads, and unreferenced blobs. */
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

/** Removes the marks of unwanted blobs that are gone, or that a record refers to after all. */
async function forget(
  store: Store,
  { unwanted, tenant, at }: { unwanted: ReadonlySet<string>; tenant: string; at: number },
): Promise<void> {
  const documents = [...unwanted].map((id) => ({
    tenant,
    kind: UNWANTED_KIND,
    id,
    updatedAt: at,
    value: undefined,
  }))
  for (let from = 0; from < documents.length; from += FORGET_AT_ONCE) {
    await store.write({ documents: documents.slice(from, from + FORGET_AT_ONCE) })
    await nextTurn()
  }
}

/** Recorded before the bytes are removed, so that a reader reports them as expired, not as missing. */
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
