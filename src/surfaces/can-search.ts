import type { BuiltSurface } from './build-surface.js'

/** Whether this caller can find what is deferred, or only knows of it. */
export function canSearch({ request, discovery, visibilityOf }: BuiltSurface): boolean {
  if (request.selectionPolicy?.kind === 'runtime_only' || request.defaultToolChoice === 'none') return false
  return discovery === undefined || visibilityOf(discovery).standing === 'loaded'
}
