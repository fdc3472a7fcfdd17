import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { BuiltSurface, HiddenTool } from '../../surfaces/build-surface.js'
import { pendingProviderOf } from '../../surfaces/filters.js'

/**
 * The providers that are still connecting, as far as this caller may know: sources, and providers of tools that it
 * would see.
 */
export function pendingOn(built: BuiltSurface, sources: readonly string[]): string[] {
  const hasPending = built.counts.byReason['toolcrib.pending_provider'] !== undefined
  if (!hasPending && sources.length === 0) return []
  const hidden = built.hidden()
  const behind = hidden.flatMap(({ visibility }) => visibility.pendingProvider ?? [])
  const known = sources.filter((name) => mayKnow(name, built, hidden))
  return [...new Set([...known, ...behind])].sort()
}

/** A caller must not learn of a source whose tools are all hidden from it. */
function mayKnow(name: string, { loaded }: BuiltSurface, hidden: readonly HiddenTool[]): boolean {
  const isOf = (tool: CatalogTool): boolean => isFrom(tool, name)
  const withheld = hidden.filter(({ tool }) => isOf(tool))
  return withheld.length === 0 || !withheld.every(isKeptFrom) || loaded.some(isOf)
}

function isFrom({ source, draft }: CatalogTool, name: string): boolean {
  if (source === name || draft.namespace === name || draft.provider?.name === name) return true
  return pendingProviderOf(draft) === name
}

function isKeptFrom({ visibility: { reason } }: HiddenTool): boolean {
  return reason === 'policy_blocked' || reason === 'toolcrib.not_selected'
}
