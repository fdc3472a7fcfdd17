import type { McpOAuthSettings } from '../server-settings.js'
import { toClientInformation } from './choose-client.js'
import { discoverAuthority } from './discover-authority.js'
import { guardedFetch } from '../../../credentials/oauth/guarded-fetch.js'
import { loadLibrary } from './library.js'
import type { Grant } from '../../../credentials/oauth/token-storage.js'

/**
 * Revokes a grant at the authorization server (RFC 7009). Returns whether it did: not every authorization server
 * supports it.
 */
export async function revoke(server: string, grant: Grant, settings: McpOAuthSettings): Promise<boolean> {
  const token = grant.refreshToken ?? grant.accessToken
  if (token === undefined) return false
  const fetchFn = guardedFetch({ serverUrl: grant.url })
  try {
    const library = await loadLibrary()
    const { issuer, metadata } = await discoverAuthority(library, { server, serverUrl: grant.url, fetchFn })
    const endpoint = metadata && 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
    if (typeof endpoint !== 'string' || issuer !== grant.issuer) return false
    const { client_id: id, client_secret: secret } = toClientInformation(grant.client, settings)
    const response = await fetchFn(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(secret !== undefined && { authorization: `Basic ${btoa(`${id}:${secret}`)}` }),
      },
      body: new URLSearchParams({ token, ...(secret === undefined && { client_id: id }) }).toString(),
    })
    return response.ok
  } catch {
    return false
  }
}
