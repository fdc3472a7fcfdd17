import { createTurns } from '../../platform/async/create-turns.js'
import { nextTurn } from '../../platform/async/next-turn.js'
import type { Store, StoredDocument } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { LOADED_SET_KIND, loadedSetId } from '../surfaces/loaded-set.js'
import type { SurfaceDocument } from '../surfaces/surface-document.js'

const KIND = 'surface'
const PAGE = 500
const GROUP = 20

interface Surface extends Pick<StoredDocument, 'id' | 'revision'> {
  readonly conversation: string | undefined
}

/**
 * Deletes the surfaces that no call refers to any more and that did not change since the given time, with their events,
 * and what their conversations were shown where no surface of a conversation stays.
 * A surface that its caller still has continues: what it shows next is recorded again.
 */
export async function deleteSurfaces(
  { store, now, signal }: { store: Store; now(): number; signal: AbortSignal },
  {
    tenant,
    session,
    actor,
    unchangedSince,
  }: { tenant: string; session?: string | undefined; actor?: string | undefined; unchangedSince: number },
): Promise<number> {
  const found: Surface[] = []
  const conversations = new Set<string | undefined>()
  for await (const { id, revision, updatedAt, value } of walkDocuments(store, { tenant, kind: KIND })) {
    const { request } = value as SurfaceDocument
    const isMeant =
      (session === undefined || request.session === session) &&
      (actor === undefined || request.actor === actor)
    const conversation = loadedSetId(request)
    if (isMeant && updatedAt < unchangedSince) found.push({ id, revision, conversation })
    else conversations.add(conversation)
  }
  if (found.length === 0) return 0
  const inUse = await surfacesInUse(store, tenant)
  const left = found.filter(({ id }) => !inUse.has(id))
  for (const { id, conversation } of found) if (inUse.has(id)) conversations.add(conversation)
  let deleted = 0
  for (let from = 0; from < left.length; from += GROUP) {
    signal.throwIfAborted()
    let group = left.slice(from, from + GROUP)
    while (group.length > 0) {
      const removed = { tenant, updatedAt: now(), value: undefined }
      const surfaces = group.map(({ id, revision: expectedRevision }) => ({
        ...removed,
        kind: KIND,
        id,
        expectedRevision,
      }))
      const loadedSets = group.flatMap(({ conversation: id }) =>
        id === undefined || conversations.has(id) ? [] : [{ ...removed, kind: LOADED_SET_KIND, id }],
      )
      const { conflictingDocuments } = await store.write({
        documents: [...surfaces, ...loadedSets],
        removedStreams: group.map(({ id }) => ({ tenant, stream: id })),
        allOrNothing: true,
      })
      if (conflictingDocuments.length === 0) break
      group = group.filter((_, index) => !conflictingDocuments.includes(index))
    }
    deleted += group.length
    await nextTurn()
  }
  return deleted
}

async function surfacesInUse(store: Store, tenant: string): Promise<Set<string>> {
  const turns = createTurns()
  const ids = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await store.listCalls({ tenant, limit: PAGE, cursor })
    for (const { surfaceId } of page.rows) ids.add(surfaceId)
    cursor = page.cursor
    await turns.due()
  } while (cursor !== undefined)
  return ids
}
