const WELL_KNOWN = '/.well-known/oauth-protected-resource'

export interface ProtectedResource {
  /** The URL that clients call, which is the audience of their tokens. */
  readonly resource: string
  readonly issuers: readonly string[]
  readonly scopes?: readonly string[] | undefined
}

/** The document that names the authorization servers of this server (RFC 9728). */
export function protectedResourceMetadata({ resource, issuers, scopes }: ProtectedResource) {
  return {
    resource,
    authorization_servers: [...issuers],
    ...(scopes?.length && { scopes_supported: [...scopes] }),
    bearer_methods_supported: ['header'],
    resource_name: 'Toolcrib',
  }
}

/** The URL of that document: the well-known path is inserted between the host and the path of the resource. */
export function protectedResourceMetadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource)
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname.replace(/\/$/, '')}${search}`
}
