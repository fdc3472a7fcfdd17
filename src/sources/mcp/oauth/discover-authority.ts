import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import type { Fetch } from './guarded-fetch.js'
import type { Library } from './library.js'
import { LoginFailed } from './login-problem.js'

/** Who gives tokens for a server, and for what. */
export interface Authority {
  readonly issuer: string
  /** Its address as the server named it. */
  readonly url: string
  /** Absent where it publishes none: then its endpoints are the ones of the protocol's first revisions. */
  readonly metadata: AuthorizationServerMetadata | undefined
  /** What the token is for (RFC 8707), in the server's own spelling. */
  readonly resource: string | undefined
  /** What the server says that can be asked for. */
  readonly scopes: readonly string[] | undefined
}

export interface DiscoverOptions {
  readonly server: string
  readonly serverUrl: string
  /** Where the refusal said that the document about the server is. */
  readonly resourceMetadataUrl?: URL | undefined
  readonly fetchFn: Fetch
}

/** Reads the documents about the server and about the one who gives tokens for it. */
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
      `The server "${server}" says that its tokens are for another address than its own, so none is asked for.`,
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
