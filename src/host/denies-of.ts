import type { Denies } from '../surfaces/build-surface.js'
import type { Catalog } from '../catalog/catalog.js'
import { loadLayers } from './load-layers.js'
import type { CribSettings } from './crib-settings.js'

/** What the rules hide, without a store: for listing tools. */
export async function deniesOf(settings: CribSettings & { catalog: Catalog }): Promise<Denies | undefined> {
  const layers = await loadLayers(settings)
  if (layers.every(({ set }) => set.rules.length === 0)) return undefined
  const { policyOf } = await import('../crib/policy/policy-of.js')
  const { toDenies } = await import('../crib/policy/to-denies.js')
  return toDenies(policyOf(layers, { workspace: process.cwd() }), settings.catalog)
}
