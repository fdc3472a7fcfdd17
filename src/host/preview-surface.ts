import type { Catalog } from '../catalog/catalog.js'
import { OWN_SOURCE } from '../catalog/name-index.js'
import { buildSurface, type BuiltSurface, type Denies } from '../surfaces/build-surface.js'
import type { SurfaceRequest } from '../surfaces/surface-request.js'
import { surfaceRequestOf } from './load-settings.js'
import type { CribSettings } from './crib-settings.js'
import { loadLayers } from './load-layers.js'

/** What a caller of this config sees before its first call, without a store. Costs are counted only for a budget. */
export async function previewSurface(
  settings: CribSettings & { catalog: Catalog },
  request: SurfaceRequest = surfaceRequestOf(settings),
): Promise<BuiltSurface> {
  const { catalog } = settings
  const denies = await deniesOf(settings)
  const { deferral } = request
  if (deferral?.budgetTokens === undefined) return buildSurface(catalog, request, { denies })
  // The token counter is loaded only for a budget.
  const { loadCostOf } = await import('../surfaces/tool-cost.js')
  const { discoveryToolsFor } = await import('../crib/discovery/discovery-tools-for.js')
  // The discovery tools cost tokens too. A tool of the host with the same name takes precedence.
  for (const tool of discoveryToolsFor(deferral)) catalog.add(OWN_SOURCE, [tool])
  return buildSurface(catalog, request, { denies, costOf: await loadCostOf() })
}

/** The tools that the rules hide, computed without a store. */
async function deniesOf(settings: CribSettings & { catalog: Catalog }): Promise<Denies | undefined> {
  const layers = await loadLayers(settings)
  if (layers.every(({ set }) => set.rules.length === 0)) return undefined
  const { policyOf } = await import('../crib/policy/policy-of.js')
  const { toDenies } = await import('../crib/policy/to-denies.js')
  return toDenies(policyOf(layers, { workspace: process.cwd() }), settings.catalog)
}
