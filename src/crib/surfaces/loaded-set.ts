import { createHash } from 'node:crypto'
import { createSerialQueue } from '../../platform/async/create-serial-queue.js'
import { canonicalJson } from '../../platform/json/canonical-json.js'
import type { Journal } from '../../storage/journal/journal.js'
import { sameJson } from '../../platform/json/same-json.js'
import type { DocumentWrite, StoredDocument } from '../../storage/store.js'
import { updateDocument } from '../../storage/update-document.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { DeferralRequest } from '../../surfaces/deferral-request.js'
import { CALL_TOOL_ID, DISCOVERY_TOOL_ID } from '../../surfaces/discovery-tool.js'
import type { Shown } from '../../surfaces/shown.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'

export const LOADED_SET_KIND = 'loaded_set'
const KIND = LOADED_SET_KIND

/** What a conversation was shown, as stored. */
interface StoredSet {
  order: StoredOrder
  kept: readonly string[]
  loaded: readonly string[]
  recent?: readonly string[] | undefined
  /** Digest of the deferral options of the decision; with other options it is decided again. */
  deferral?: string | undefined
}

/** Stores what one conversation was shown, across processes. */
export interface LoadedSet {
  /** The identity of the conversation. Absent: the caller cannot be recognized, and nothing is stored. */
  readonly id: string | undefined
  read(): Promise<Shown | undefined>
  /** The documents to write together with the event of a changed list. */
  documents(shown: Shown): DocumentWrite[]
  /** Adds loaded tools to those that any process loaded, and returns all of them. */
  add(shown: Shown, toolIds: readonly string[]): Promise<Shown>
}

export interface LoadedSetParts {
  request: SurfaceRequest
  now: () => number
  catalog: Catalog
}

export function createLoadedSet(journal: Journal, { request, now, catalog }: LoadedSetParts): LoadedSet {
  const id = loadedSetId(request)
  const tenant = request.tenant!
  const key = { tenant, kind: KIND, id: id ?? '' }
  const deferral = request.deferral && digestOf(request.deferral)
  // Toolcrib's own tools are added to the catalog when they are needed, which may be later.
  const known = (): string[] => [
    ...catalog.list().map(({ toolId }) => toolId),
    DISCOVERY_TOOL_ID,
    CALL_TOOL_ID,
  ]
  /** The revision that was last read, or written without a conflict. */
  let revision = 0
  /** Last seen in the store. Every write includes it, because another surface may have loaded it. */
  let stored: Pick<Shown, 'kept' | 'loaded'> = { kept: new Set(), loaded: new Set() }
  let written: readonly string[] | undefined
  /** Written after the outcome of the write before is known. */
  let waiting: Shown | undefined
  let isSettling = false
  // One at a time: no other change may come between the read and the write of one.
  const changes = createSerialQueue()

  function documentOf(shown: Shown): DocumentWrite {
    written = shown.order
    const value: StoredSet = {
      order: toStoredOrder([...new Set([...shown.order, ...stored.loaded])]),
      kept: [...new Set([...stored.kept, ...shown.kept])],
      loaded: [...new Set([...stored.loaded, ...shown.loaded])],
      ...(shown.recent && { recent: shown.recent }),
      ...(deferral !== undefined && { deferral }),
    }
    return { tenant, kind: KIND, id: id!, updatedAt: now(), value, expectedRevision: revision }
  }

  async function find(): Promise<{ value: unknown; theirs: Shown | undefined }> {
    // Writes of this process may still be in the journal.
    await journal.flush()
    return take(await journal.store.getDocument(tenant, KIND, id!))
  }

  function take(found: StoredDocument | undefined): { value: unknown; theirs: Shown | undefined } {
    const value = found?.value as StoredSet | undefined
    const theirs = value && fromStored(value, { deferral, known })
    // Set together: a write on top of a revision includes everything of that revision.
    revision = found?.revision ?? 0
    if (theirs) stored = theirs
    // With other deferral options it is written again, even if the list is the same.
    written = value?.deferral === deferral ? theirs?.order : undefined
    return { value, theirs }
  }

  function remember({ value, expectedRevision }: DocumentWrite): void {
    const { kept, loaded } = value as StoredSet
    revision = expectedRevision! + 1
    stored = { kept: new Set(kept), loaded: new Set(loaded) }
  }

  /** The outcome of a write in a group is not reported: it is checked before anything is written on top of it. */
  async function settle(shown: Shown, sent: unknown): Promise<void> {
    let latest = shown
    let mine = sent
    try {
      await journal.flush()
      do {
        const settled = await updateDocument<DocumentWrite | undefined>(
          journal.store,
          key,
          (found) => {
            const { value, theirs } = take(found)
            const isMine = sameJson(value, mine)
            if (isMine) written = latest.order
            if (isMine && !waiting) return { result: undefined }
            latest = waiting ?? latest
            if (!isMine && theirs) latest = joinShown(theirs, latest)
            waiting = undefined
            const document = documentOf(latest)
            mine = document.value
            return { value: document.value, result: document }
          },
          { now },
        )
        if (settled) remember(settled)
      } while (waiting)
    } catch {
      // The next change or the next load reports a failure of the store.
      written = undefined
    } finally {
      isSettling = false
      waiting = undefined
    }
  }

  async function add(shown: Shown, toolIds: readonly string[]): Promise<Shown> {
    // Writes of this process may still be in the journal.
    await journal.flush()
    const { document, seen } = await updateDocument(
      journal.store,
      key,
      (found) => {
        const { theirs } = take(found)
        const document = documentOf(withLoaded(theirs ? joinShown(theirs, shown) : shown, toolIds))
        const seen = withLoaded(theirs ? joinShown(shown, theirs) : shown, toolIds)
        return { value: document.value, result: { document, seen } }
      },
      { now },
    )
    remember(document)
    return seen
  }

  return {
    id,
    read: async () => (id === undefined ? undefined : (await find()).theirs),
    documents(shown) {
      if (id === undefined) return []
      if (isSettling) {
        waiting = shown
        return []
      }
      if (written && isSameList(written, shown.order)) return []
      const document = documentOf(shown)
      isSettling = true
      void changes.run(() => settle(shown, document.value))
      return [document]
    },
    add: async (shown, toolIds) =>
      id === undefined ? withLoaded(shown, toolIds) : changes.run(() => add(shown, toolIds)),
  }
}

/** The same for the same caller and conversation. A client's token leaves this function only as a digest. */
/** The identity of a conversation, if it has one. */
export function loadedSetId({ actor, session, client, name }: SurfaceRequest): string | undefined {
  if (session === undefined && client === undefined) return undefined
  const parts = [
    actor ?? null,
    session ?? null,
    session === undefined ? (client ?? null) : null,
    name ?? null,
  ]
  return createHash('sha256').update(canonicalJson(parts)).digest('hex')
}

function digestOf(deferral: DeferralRequest): string {
  return createHash('sha256').update(canonicalJson(deferral)).digest('base64').slice(0, 16)
}

function fromStored(
  { order, kept, loaded, recent, deferral }: StoredSet,
  now: { deferral: string | undefined; known: () => Iterable<string> },
): Shown {
  const isSame = deferral === now.deferral
  return {
    order: fromStoredOrder(order, now.known),
    loaded: new Set(loaded),
    kept: new Set(isSame ? kept : []),
    recent: isSame ? recent : undefined,
  }
}

/** The union; the first keeps its order. */
export function joinShown(first: Shown, second: Shown): Shown {
  return {
    order: [...new Set([...first.order, ...second.order])],
    kept: new Set([...first.kept, ...second.kept]),
    loaded: new Set([...first.loaded, ...second.loaded]),
    recent: first.recent ?? second.recent,
  }
}

function withLoaded(shown: Shown, toolIds: readonly string[]): Shown {
  return {
    ...shown,
    order: [...new Set([...shown.order, ...toolIds])],
    loaded: new Set([...shown.loaded, ...toolIds]),
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}

/** Up to this number the ids themselves are stored. Longer orders are stored as hashes, which are much smaller. */
const MAX_IDS = 100

const HASH_BYTES = 4

/** The stored order of a list: ids, or the concatenated hashes of ids. */
type StoredOrder = readonly string[] | { hashes: string }

function toStoredOrder(order: readonly string[]): StoredOrder {
  if (order.length <= MAX_IDS) return order
  const hashes = Buffer.alloc(order.length * HASH_BYTES)
  order.forEach((id, index) => hashes.writeUInt32BE(hashOf(id), index * HASH_BYTES))
  return { hashes: hashes.toString('base64') }
}

/** Tools that are in no catalog are not on a list, so only known ids need to be recognized. */
function fromStoredOrder(kept: StoredOrder, known: () => Iterable<string>): readonly string[] {
  if (!('hashes' in kept)) return kept
  const byHash = new Map<number, string>()
  for (const id of known()) byHash.set(hashOf(id), id)
  const hashes = Buffer.from(kept.hashes, 'base64')
  const order = new Set<string>()
  for (let at = 0; at + HASH_BYTES <= hashes.length; at += HASH_BYTES) {
    const id = byHash.get(hashes.readUInt32BE(at))
    if (id !== undefined) order.add(id)
  }
  return [...order]
}

/** FNV-1a: fast, and two ids with the same hash only lose their position on a list. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
