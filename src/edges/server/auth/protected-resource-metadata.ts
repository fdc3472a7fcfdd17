const WELL_KNOWN = '/.well-known/oauth-protected-resource'

export interface ProtectedResource {
  /** The address that clients call: what their tokens must be for. */
  readonly resource: string
  readonly issuers: readonly string[]
  readonly scopes?: readonly string[] | undefined
}

/** The document that says who gives tokens for this server (RFC 9728). */
export function protectedResourceMetadata({ resource, issuers, scopes }: ProtectedResource) {
  return {
    resource,
    authorization_servers: [...issuers],
    ...(scopes?.length && { scopes_supported: [...scopes] }),
    bearer_methods_supported: ['header'],
    resource_name: 'Toolcrib',
  }
}

/** Where that document stands: the well-known path goes between the host and the path of the resource. */
export function protectedResourceMetadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource)
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname.replace(/\/$/, '')}${search}`
}
