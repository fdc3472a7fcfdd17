import { walkDocuments } from '../../storage/walk-documents.js'
import { SYSTEM_TENANT, type Store } from '../../storage/store.js'

const KIND = 'mcp_slow_start'
/** Enough for a server that starts normally, and short enough for a client that waits for its first list. */
const BRIEF_WAIT_MS = 3000

/** Servers that did not answer in an earlier start: the first lists of the next start wait only briefly for them. */
export interface SlowServers {
  /** How long the first lists wait for such a server. */
  readonly waitMs: number
  has(server: string): boolean
  /** Stores, for the next start, whether the server answered in this one. */
  note(server: string, isSlow: boolean): void
  /** Resolves when all of that is written. */
  written(): Promise<void>
}

/** The digests of the current settings, by server. */
type StartDigests = Readonly<Record<string, string>>

export async function loadSlowServers(
  store: Pick<Store, 'listDocuments' | 'write'>,
  digests: () => StartDigests,
  { waitMs = BRIEF_WAIT_MS, now = Date.now }: { waitMs?: number; now?: () => number } = {},
): Promise<SlowServers> {
  const slow = new Set(await slowServersIn(store, digests()))
  let writing: Promise<unknown> = Promise.resolve()
  return {
    waitMs,
    has: (server) => slow.has(server),
    note(server, isSlow) {
      if (slow.has(server) === isSlow) return
      if (isSlow) slow.add(server)
      else slow.delete(server)
      const digest = digests()[server]
      const value = isSlow && digest !== undefined ? { digest } : undefined
      const document = { tenant: SYSTEM_TENANT, kind: KIND, id: server, updatedAt: now(), value }
      // If the write fails, the next start only waits longer.
      writing = writing.then(() => store.write({ documents: [document] })).catch(() => {})
    },
    async written() {
      await writing
    },
  }
}

/** The slow servers whose settings are unchanged: a changed server gets the full wait again. */
export async function slowServersIn(
  store: Pick<Store, 'listDocuments'>,
  digests: StartDigests,
): Promise<ReadonlySet<string>> {
  const slow = new Set<string>()
  for await (const { id, value } of walkDocuments(store, { tenant: SYSTEM_TENANT, kind: KIND })) {
    const isSame = Object.hasOwn(digests, id) && Reflect.get(Object(value), 'digest') === digests[id]
    if (isSame) slow.add(id)
  }
  return slow
}
