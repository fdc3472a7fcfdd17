import type { CatalogTool } from '../catalog/catalog-tool.js'

/** Whether a surface without a budget may defer the tool. */
export function mayDefer({ draft }: CatalogTool): boolean {
  const { lifecycle, availability } = draft
  if (availability.pendingProvider !== undefined) return true
  return (lifecycle === 'deferred' || availability.shouldDefer === true) && availability.alwaysLoad !== true
}
