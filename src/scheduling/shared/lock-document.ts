import type { Store } from '../../storage/store.js'
import type { WatchTopic } from '../../storage/watch-topic.js'
import type { LockEntry } from './lock-entry.js'
import { parseLockTable } from './parse-lock-table.js'

const KIND = 'lock_table'
const ID = 'locks'
const LONGEST_WAIT_MS = 32

/** For whoever waits for a lock of the tenant. */
export function lockTopic(tenant: string): WatchTopic {
  return { of: 'documents', tenant, kind: KIND }
}

export async function readLocks(
  store: Store,
  tenant: string,
): Promise<{ entries: readonly LockEntry[]; revision: number }> {
  const document = await store.getDocument(tenant, KIND, ID)
  if (!document) return { entries: [], revision: 0 }
  return { entries: parseLockTable(document.value), revision: document.revision }
}

export interface LockDocument {
  read(): Promise<readonly LockEntry[]>
  /** Replaces what is there by what is made of it, as often as others are faster. Returns what is there then. */
  change(toNext: (entries: readonly LockEntry[]) => readonly LockEntry[]): Promise<readonly LockEntry[]>
}

/**
 * A tenant's table as it stands in the store. It is emptied and never removed: a document that is made anew counts its
 * revisions from the start, and what somebody once saw of the old one would pass for the new one. Nor is it synced: it
 * says something only to processes that live.
 */
export function createLockDocument({
  store,
  tenant,
  random,
  now,
}: {
  store: Store
  tenant: string
  random(): number
  now(): number
}): LockDocument {
  async function replace(entries: readonly LockEntry[], expectedRevision: number): Promise<boolean> {
    const document = { tenant, kind: KIND, id: ID, updatedAt: now(), value: entries, expectedRevision }
    const { conflictingDocuments } = await store.write({ documents: [document] })
    return conflictingDocuments.length === 0
  }

  return {
    read: async () => (await readLocks(store, tenant)).entries,
    async change(toNext) {
      for (let attempt = 0; ; attempt++) {
        const { entries, revision } = await readLocks(store, tenant)
        const next = toNext(entries)
        if (next === entries || (await replace(next, revision))) return next
        await wait(random() * Math.min(LONGEST_WAIT_MS, 2 ** attempt))
      }
    },
  }
}

/** Keeps the process alive: somebody waits for what is to be written. */
function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
