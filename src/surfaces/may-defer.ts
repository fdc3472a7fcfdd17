import type { CatalogTool } from '../catalog/catalog-tool.js'

/** Whether some surface may keep the tool out of the prompt though it has no budget. */
export function mayDefer({ draft }: CatalogTool): boolean {
  const { lifecycle, availability } = draft
  if (availability.pendingProvider !== undefined) return true
  return (lifecycle === 'deferred' || availability.shouldDefer === true) && availability.alwaysLoad !== true
}
