import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import type { Fetch } from '../../../credentials/oauth/guarded-fetch.js'
import type { Library } from './library.js'
import { LoginFailed } from '../../../credentials/oauth/login-problem.js'

/** The authorization server of an MCP server, and the scopes for it. */
export interface Authority {
  readonly issuer: string
  /** Its address as the server named it. */
  readonly url: string
  /** Absent where it publishes no metadata: then the endpoints of the protocol's first revisions are used. */
  readonly metadata: AuthorizationServerMetadata | undefined
  /** The resource that the token is for (RFC 8707), in the server's own spelling. */
  readonly resource: string | undefined
  /** The scopes that the server lists. */
  readonly scopes: readonly string[] | undefined
}

export interface DiscoverOptions {
  readonly server: string
  readonly serverUrl: string
  /** Address of the resource metadata, from the refusal. */
  readonly resourceMetadataUrl?: URL | undefined
  readonly fetchFn: Fetch
}

/** Loads the metadata of the server and of its authorization server. */
export async function discoverAuthority(library: Library, options: DiscoverOptions): Promise<Authority> {
  const { server, serverUrl, resourceMetadataUrl, fetchFn } = options
  const found = await library.discoverOAuthServerInfo(serverUrl, {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    fetchFn,
  })
  const { resourceMetadata, authorizationServerMetadata: metadata, authorizationServerUrl: url } = found
  const resource = resourceMetadata?.resource
  if (resource !== undefined && !isAbout(library, serverUrl, resource)) {
    throw new LoginFailed(
      `The server "${server}" says that its tokens are for another address than its own, so none is requested.`,
    )
  }
  return {
    issuer: metadata?.issuer ?? url,
    url,
    metadata,
    resource,
    scopes: resourceMetadata?.scopes_supported,
  }
}

function isAbout(library: Library, serverUrl: string, resource: string): boolean {
  try {
    const requestedResource = library.resourceUrlFromServerUrl(serverUrl)
    return library.checkResourceAllowed({ requestedResource, configuredResource: resource })
  } catch {
    return false
  }
}
