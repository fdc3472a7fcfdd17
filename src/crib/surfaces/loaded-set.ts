import { createHash } from 'node:crypto'
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
import { fromKeptOrder, toKeptOrder, type KeptOrder } from './kept-order.js'

const KIND = 'loaded_set'

/** What a conversation was shown, as the store keeps it. */
interface KeptSet {
  order: KeptOrder
  kept: readonly string[]
  loaded: readonly string[]
  recent?: readonly string[] | undefined
  /** Digest of the deferral under which it was decided; under another one it is decided anew. */
  deferral?: string | undefined
}

/** Remembers what one conversation was shown, for as long as it goes on and in whatever process. */
export interface LoadedSet {
  /** Whose it is. Absent: a caller who cannot be known again, for whom nothing is kept. */
  readonly id: string | undefined
  read(): Promise<Shown | undefined>
  /** What goes to the store together with the news of a changed list. */
  documents(shown: Shown): DocumentWrite[]
  /** Adds what was loaded to all that any process loaded, and gives back both. */
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
  // Our own come into the catalog when they are needed, which may be later.
  const known = (): string[] => [
    ...catalog.list().map(({ toolId }) => toolId),
    DISCOVERY_TOOL_ID,
    CALL_TOOL_ID,
  ]
  /** Of the document that was read last, or written without anybody being faster. */
  let revision = 0
  /** Seen in the store: whatever is written holds it too, for another surface may have loaded it. */
  let stored: Pick<Shown, 'kept' | 'loaded'> = { kept: new Set(), loaded: new Set() }
  let written: readonly string[] | undefined
  /** To be written once it is known what became of the write before. */
  let waiting: Shown | undefined
  let isSettling = false
  let lastWork: Promise<unknown> = Promise.resolve()

  function documentOf(shown: Shown): DocumentWrite {
    written = shown.order
    const value: KeptSet = {
      order: toKeptOrder([...new Set([...shown.order, ...stored.loaded])]),
      kept: [...new Set([...stored.kept, ...shown.kept])],
      loaded: [...new Set([...stored.loaded, ...shown.loaded])],
      ...(shown.recent && { recent: shown.recent }),
      ...(deferral !== undefined && { deferral }),
    }
    return { tenant, kind: KIND, id: id!, updatedAt: now(), value, expectedRevision: revision }
  }

  async function find(): Promise<{ value: unknown; theirs: Shown | undefined }> {
    // What this process told the journal may not have reached the store yet.
    await journal.flush()
    return take(await journal.store.getDocument(tenant, KIND, id!))
  }

  function take(found: StoredDocument | undefined): { value: unknown; theirs: Shown | undefined } {
    const value = found?.value as KeptSet | undefined
    const theirs = value && fromKept(value, { deferral, known })
    // Both at once: what is written on top of a revision holds all that the revision held.
    revision = found?.revision ?? 0
    if (theirs) stored = theirs
    // Under another deferral it is written anew, though the list be the same.
    written = value?.deferral === deferral ? theirs?.order : undefined
    return { value, theirs }
  }

  function remember({ value, expectedRevision }: DocumentWrite): void {
    const { kept, loaded } = value as KeptSet
    revision = expectedRevision! + 1
    stored = { kept: new Set(kept), loaded: new Set(loaded) }
  }

  /** A write that goes with others is not answered: nothing is written on top of it before somebody looked. */
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
      // A store that fails now is told with the next change, or by the next load.
      written = undefined
    } finally {
      isSettling = false
      waiting = undefined
    }
  }

  // One after the other: what one of them has read must not be overtaken by what the other writes.
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = lastWork.then(work)
    lastWork = done.catch(() => {})
    return done
  }

  async function add(shown: Shown, toolIds: readonly string[]): Promise<Shown> {
    // What this process told the journal may not have reached the store yet.
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
      void inTurn(() => settle(shown, document.value))
      return [document]
    },
    add: async (shown, toolIds) =>
      id === undefined ? withLoaded(shown, toolIds) : inTurn(() => add(shown, toolIds)),
  }
}

/** The same for the same caller and conversation. Of a client's token only the digest leaves this function. */
function loadedSetId({ actor, session, client, name }: SurfaceRequest): string | undefined {
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

function fromKept(
  { order, kept, loaded, recent, deferral }: KeptSet,
  now: { deferral: string | undefined; known: () => Iterable<string> },
): Shown {
  const isSame = deferral === now.deferral
  return {
    order: fromKeptOrder(order, now.known),
    loaded: new Set(loaded),
    kept: new Set(isSame ? kept : []),
    recent: isSame ? recent : undefined,
  }
}

/** All of both; what the first was shown keeps its place. */
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
