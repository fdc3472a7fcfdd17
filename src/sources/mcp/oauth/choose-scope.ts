import type { Authority } from './discover-authority.js'
import type { Library } from './library.js'

export interface ScopeSources {
  readonly authority: Authority
  readonly configured: readonly string[] | undefined
  /** What the refusal asked for. */
  readonly challenged: string | undefined
  /** What was granted before, and is not to be lost. */
  readonly granted?: string | undefined
}

/** What is asked for: what is configured or asked for, else what the server lists, else what the authority thinks fit. */
export function chooseScope(library: Library, sources: ScopeSources): string | undefined {
  const { authority, configured, challenged, granted } = sources
  const asked = library.computeScopeUnion(granted, configured?.join(' '), challenged)
  const scope = asked ?? library.computeScopeUnion(authority.scopes?.join(' '))
  // Without it some authorities give nothing to renew with, and a person would have to log in every hour.
  const offline = authority.metadata?.scopes_supported?.includes('offline_access')
  return scope !== undefined && offline ? library.computeScopeUnion(scope, 'offline_access') : scope
}
