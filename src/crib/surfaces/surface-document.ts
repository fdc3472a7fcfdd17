import type { ToolSurface } from '../../contract/objects/tool-surface.js'
import { NOTHING_SHOWN, type Shown } from '../../surfaces/shown.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'

/** A surface as stored. */
export interface SurfaceDocument {
  record: ToolSurface
  /** How to build it again. */
  request: SurfaceRequest
  /** What it has shown beyond the request. */
  shown?: { kept: readonly string[]; loaded: readonly string[] }
}

export function toSurfaceDocument(
  record: ToolSurface,
  asked: SurfaceRequest,
  { kept, loaded }: Shown,
): SurfaceDocument {
  // A client's token is a credential: it is never stored.
  const { client: _, ...request } = asked
  const isMore = kept.size > 0 || loaded.size > 0
  return { record, request, ...(isMore && { shown: { kept: [...kept], loaded: [...loaded] } }) }
}

export function shownIn({ shown }: SurfaceDocument): Shown {
  if (!shown) return NOTHING_SHOWN
  return { ...NOTHING_SHOWN, kept: new Set(shown.kept), loaded: new Set(shown.loaded) }
}
