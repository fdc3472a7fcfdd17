import type { Catalog } from '../catalog/catalog.js'
import { OWN_SOURCE } from '../catalog/name-index.js'
import { buildSurface, type BuiltSurface } from '../surfaces/build-surface.js'
import type { SurfaceRequest } from '../surfaces/surface-request.js'
import { deniesOf } from './denies-of.js'
import { surfaceRequestOf } from './load-settings.js'
import type { CribSettings } from './crib-settings.js'

/** What a caller of this config sees before its first call, without a store. Costs are counted only for a budget. */
export async function previewSurface(
  settings: CribSettings & { catalog: Catalog },
  request: SurfaceRequest = surfaceRequestOf(settings),
): Promise<BuiltSurface> {
  const { catalog } = settings
  const denies = await deniesOf(settings)
  const { deferral } = request
  if (deferral?.budgetTokens === undefined) return buildSurface(catalog, request, { denies })
  // Only whoever has a budget pays for what counts.
  const { loadCostOf } = await import('../surfaces/tool-cost.js')
  const { discoveryToolsFor } = await import('../crib/discovery/discovery-tools-for.js')
  // What finds the others has its price. A host may have a tool of its own under this name: then that is the one.
  for (const tool of discoveryToolsFor(deferral)) catalog.add(OWN_SOURCE, [tool])
  return buildSurface(catalog, request, { denies, costOf: await loadCostOf() })
}
