import { eventCount } from '../../storage/event-list.js'
import { projectSurface } from '../../storage/journal/project-surface.js'
import { NOTHING_SHOWN } from '../../surfaces/shown.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { createLoadedSet, joinShown } from './loaded-set.js'
import { prepareLoading } from './prepare-loading.js'
import { shownIn, type SurfaceDocument } from './surface-document.js'
import { createSurface, type Surface, type SurfaceBefore, type SurfaceMaker } from './surface.js'

/** Opens a surface that continues from what the same conversation was shown before, in any process. */
export async function openSurface(
  maker: SurfaceMaker,
  id: string,
  request: SurfaceRequest,
  stored?: { document: SurfaceDocument; before: SurfaceBefore },
): Promise<Surface> {
  const { catalog, journal, now } = maker
  const set = createLoadedSet(journal, { request, now, catalog })
  // Unreadable content counts as not shown. The next call reports a failure of the store.
  const ofConversation = (await set.read().catch(() => undefined)) ?? NOTHING_SHOWN
  const shown = stored ? joinShown(shownIn(stored.document), ofConversation) : ofConversation
  const loading = await prepareLoading(maker, request, shown)
  const surface = createSurface(maker, { id, request, start: { set, loading, before: stored?.before } })
  // Other processes must be able to find the list now.
  if (set.id !== undefined) await journal.flush().catch(() => {})
  return surface
}

/**
 * Opens a recorded surface with the same id: its request, and what it has shown. `undefined` if there is none. No other
 * process may have it open, because both would count its revisions.
 */
export async function openStoredSurface(
  maker: SurfaceMaker,
  { tenant, id }: { tenant: string; id: string },
): Promise<Surface | undefined> {
  const { store } = maker.journal
  await maker.journal.flush()
  const found = await store.getDocument(tenant, 'surface', id)
  if (!found) return undefined
  const document = found.value as SurfaceDocument
  const chunks = await store.readStream(tenant, id)
  const before: SurfaceBefore = {
    revision: projectSurface(chunks).length,
    createdAt: Date.parse(document.record.created_at ?? '') || maker.now(),
    sequence: chunks.reduce((count, { events }) => count + eventCount(events), 0),
  }
  return openSurface(maker, id, document.request, { document, before })
}
