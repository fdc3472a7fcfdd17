import { lazyKeys } from '../../approvals/lazy-keys.js'
import type { CribSettings } from '../../host/crib-settings.js'
import { openBrowserSessions } from '../../host/identities/browser-sessions.js'
import { openConfiguredTokens } from '../../host/identities/configured-tokens.js'
import type { NamedTokens } from '../../host/identities/named-tokens.js'
import type { NamedToken } from '../../host/identities/token-documents.js'
import { mayHaveRole, type AdmittedCallers, type ServeToken } from '../../host/serving/admission.js'
import type { Store } from '../../storage/store.js'
import type { Authenticate } from './auth/authenticate.js'
import { firstThatKnows } from './auth/first-that-knows.js'
import { protectedResourceMetadataUrl } from './auth/protected-resource-metadata.js'
import { followedTable, type FindToken } from './auth/token-table.js'
import type { Caller } from './caller.js'
import { createClientAddress } from './client-address.js'
import { createGivenTokens } from './given-tokens.js'
import { createGuessLimit } from './guess-limit.js'
import { WRONG_TOKENS_PER_MINUTE, type ServerOptions } from './server-options.js'
import { createLogins, type Logins } from './sessions/logins.js'

/** Everyone whom a server knows: tokens of the config and of the store, the owner, and people with a session. */
export interface Identities {
  /** The options of the server that follow from it. */
  readonly server: Required<Pick<ServerOptions, 'authenticate' | 'people' | 'watchIdentities' | 'guesses'>>
  readonly logins: Logins
  readonly tokens: NamedTokens
  /** The tokens of the config, as they are now. */
  configTokens(): readonly ServeToken[]
  /**
   * Replaces the tokens of the config and of the data folder: others are refused from now on, and what they have open ends.
   * Returns what is wrong with those that are left out.
   */
  admit(now: Pick<AdmittedCallers, 'tokens' | 'owner'>): string[]
  close(): Promise<void>
}

export interface IdentitiesOptions {
  readonly settings: CribSettings
  readonly admitted: AdmittedCallers
  readonly store: Store
}

/** Opens the identities of a store and a config. */
export async function openIdentities({ settings, admitted, store }: IdentitiesOptions): Promise<Identities> {
  const { oauth, oidc } = admitted
  const serve = (settings.trust.isTrusted && settings.config.serve) || {}
  const { publicUrl, allowedOrigins = [], trustedProxies = [] } = serve
  const guesses = createGuessLimit(WRONG_TOKENS_PER_MINUTE, createClientAddress(trustedProxies))
  const given = createGivenTokens(admitted)
  const tokens = await openConfiguredTokens(settings, store)
  const sessions = openBrowserSessions({ store, keys: lazyKeys(store, undefined) })
  const named: FindToken = (digest) => {
    const found = tokens.find(digest)
    if (typeof found !== 'object') return given.hasEnded(digest) ? 'ended' : found
    tokens.noteUse(found.tokenId)
    return callerOf(found)
  }
  const logins = createLogins({
    sessions,
    findToken: (digest) => given.callers().get(digest) ?? named(digest),
    ownerDigest: given.ownerDigest,
    oidc,
    guesses,
    publicUrl,
    allowedOrigins,
    now: Date.now,
  })
  const resourceMetadataUrl = oauth && protectedResourceMetadataUrl(oauth.audience)
  const table = followedTable(given.callers, { resourceMetadataUrl, find: named })
  const authenticate = oauth ? firstThatKnows([table, await issuedTokens(oauth, resourceMetadataUrl)]) : table
  return {
    server: {
      authenticate: admitted.kind === 'anonymous' ? undefined : authenticate,
      people: { authenticate, identifySession: logins.identifySession, login: logins.choices },
      watchIdentities(changed) {
        const stop = [tokens.watch(changed), given.watch(changed)]
        return () => stop.forEach((each) => each())
      },
      guesses,
    },
    logins,
    tokens,
    configTokens: given.ofConfig,
    admit: given.replace,
    async close() {
      await sessions.close()
      await tokens.close()
    },
  }
}

async function issuedTokens(
  { scopes, ...rest }: NonNullable<AdmittedCallers['oauth']>,
  resourceMetadataUrl: string | undefined,
): Promise<Authenticate> {
  const { jwtVerifier } = await import('./auth/jwt-verifier.js')
  return jwtVerifier({ ...rest, requiredScopes: scopes, resourceMetadataUrl, now: Date.now })
}

function callerOf({ digest, roles, ...token }: NamedToken): Caller {
  const { tokenId, actor, surface, tenant, rateLimitPerMinute, above, expiresAt } = token
  return {
    tokenId,
    actor,
    roles: roles.filter(mayHaveRole),
    surface,
    tenant,
    rateLimitPerMinute,
    above,
    expiresAt,
    token: digest,
  }
}
