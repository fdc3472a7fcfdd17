import { NOTHING_SHOWN } from '../../surfaces/shown.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { createLoadedSet } from './loaded-set.js'
import { prepareLoading } from './prepare-loading.js'
import { createSurface, type Surface, type SurfaceMaker } from './surface.js'

/** A surface that goes on from what the same conversation was shown before, in whatever process. */
export async function openSurface(
  maker: SurfaceMaker,
  id: string,
  request: SurfaceRequest,
): Promise<Surface> {
  const { catalog, journal, now } = maker
  const set = createLoadedSet(journal, { request, now, catalog })
  // What cannot be read was not shown. A store that fails now fails the next call, which says so.
  const before = (await set.read().catch(() => undefined)) ?? NOTHING_SHOWN
  const loading = await prepareLoading(maker, request, before)
  const surface = createSurface(maker, { id, request, start: { set, loading } })
  // Others must find the list by now.
  if (set.id !== undefined) await journal.flush().catch(() => {})
  return surface
}
