import type { McpOAuthSettings } from '../server-settings.js'
import { isOfThisClient, toClientInformation } from './choose-client.js'
import type { Authority } from './discover-authority.js'
import type { Fetch } from '../../../credentials/oauth/guarded-fetch.js'
import type { Library } from './library.js'
import { codeOf, toLoginFailed } from '../../../credentials/oauth/login-problem.js'
import { toGrant } from './to-grant.js'
import type { Grant, GrantKey, TokenStorage } from '../../../credentials/oauth/token-storage.js'

export interface RenewOptions {
  readonly server: string
  readonly key: GrantKey
  readonly settings: McpOAuthSettings
  readonly authority: Authority
  readonly storage: TokenStorage
  /** The expired access token. */
  readonly spent: string | undefined
  readonly fetchFn: Fetch
  now(): number
}

/** Errors that a retry cannot fix: a person must log in again. */
const USED_UP = new Set(['invalid_grant', 'invalid_scope', 'invalid_target'])
/** The authorization server no longer knows the client: the next login uses another one. */
const UNKNOWN_CLIENT = new Set(['invalid_client', 'unauthorized_client'])

/**
 * Exchanges the refresh token for a new token, in one process at a time: authorization servers with one-time refresh
 * tokens treat a second use as theft. Undefined where only a login helps.
 */
export function renew(library: Library, options: RenewOptions): Promise<Grant | undefined> {
  const { key, storage, spent, authority, settings } = options
  return storage.exclusively(key, async () => {
    const grant = await storage.load(key)
    if (!grant || grant.issuer !== authority.issuer || !isOfThisClient(grant, settings)) return undefined
    // Another process renewed it first.
    if (grant.accessToken !== undefined && grant.accessToken !== spent) return grant
    if (grant.refreshToken === undefined) return undefined
    const renewed = await ask(library, grant, grant.refreshToken, options)
    if (renewed === 'unknown_client') await storage.remove(key)
    else await storage.save(renewed === 'used_up' ? withoutTokens(grant) : renewed)
    return typeof renewed === 'string' ? undefined : renewed
  })
}

async function ask(
  library: Library,
  grant: Grant,
  refreshToken: string,
  { server, settings, authority, fetchFn, now }: RenewOptions,
): Promise<Grant | 'used_up' | 'unknown_client'> {
  try {
    const tokens = await library.refreshAuthorization(authority.url, {
      ...(authority.metadata && { metadata: authority.metadata }),
      clientInformation: toClientInformation(grant.client, settings),
      refreshToken,
      ...(authority.resource !== undefined && { resource: authority.resource }),
      fetchFn,
    })
    const { user, url, issuer, client, scope, wantedScope } = grant
    return { ...toGrant(tokens, { server, user, url, issuer, client, scope, nowMs: now() }), wantedScope }
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (USED_UP.has(code)) return 'used_up'
    if (UNKNOWN_CLIENT.has(code)) return 'unknown_client'
    throw toLoginFailed(`the server "${server}"`, 'its authorization server did not renew the token', error)
  }
}

function withoutTokens(grant: Grant): Grant {
  return { ...grant, accessToken: undefined, refreshToken: undefined }
}
