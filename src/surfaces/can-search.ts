import type { BuiltSurface } from './build-surface.js'

/** Whether this caller can search for deferred tools, or only sees that there are some. */
export function canSearch({ request, discovery, visibilityOf }: BuiltSurface): boolean {
  if (request.selectionPolicy?.kind === 'runtime_only' || request.defaultToolChoice === 'none') return false
  return discovery === undefined || visibilityOf(discovery).state === 'loaded'
}
