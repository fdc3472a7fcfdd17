import type { DeferredToolRef } from '../contract/objects/deferred-tool-ref.js'
import { SCHEMA_VERSION, type LoadingState } from '../contract/unions.js'
import { withoutUndefined } from '../platform/json/without-undefined.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { selectionRefOf } from './discovery-tool.js'
import type { Visibility } from './filters.js'

/** The standard's record of a tool's state and of how to load it. */
export function toDeferredRef(
  tool: CatalogTool,
  visibility: Visibility,
  { isFindable }: { isFindable: boolean },
): DeferredToolRef {
  const hidden = visibility.state === 'loaded' ? undefined : visibility
  const state = loadingStateOf(visibility, isFindable)
  return withoutUndefined({
    schema_version: SCHEMA_VERSION,
    tool_id: tool.toolId,
    name: tool.draft.name,
    namespace: tool.draft.namespace,
    search_hint: tool.draft.searchHint,
    source: tool.source,
    schema_visibility: hidden ? ('deferred' as const) : ('loaded' as const),
    loading_state: state,
    reason: hidden?.reason,
    pending_provider_or_server: hidden?.pendingProvider,
    // A tool that cannot be loaded here must not be selected.
    selection_ref: state === 'unavailable' ? undefined : selectionRefOf(tool),
    native_ref: tool.draft.externalMappings[0] && { ...tool.draft.externalMappings[0] },
  })
}

function loadingStateOf(visibility: Visibility, isFindable: boolean): LoadingState {
  switch (visibility.state) {
    case 'loaded':
      return 'loaded'
    case 'blocked':
    case 'excluded':
      return 'unavailable'
    case 'deferred':
      if (visibility.pendingProvider !== undefined) return 'pending_provider'
      return isFindable ? 'discoverable' : 'deferred'
  }
}
