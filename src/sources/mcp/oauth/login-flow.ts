import { ownCommand } from '../../../platform/text/own-command.js'
import type { LiveSecrets } from '../../../redaction/live-secrets.js'
import type { McpOAuthSettings } from '../server-settings.js'
import { authorize } from './authorize.js'
import { discoverAuthority, type Authority } from './discover-authority.js'
import { grantToClient } from './grant-to-client.js'
import { guardedFetch } from '../../../credentials/oauth/guarded-fetch.js'
import { createKnownGrant, type KnownGrant } from './known-grant.js'
import type { Library } from './library.js'
import { LoginNeeded, toLoginFailed } from '../../../credentials/oauth/login-problem.js'
import type { Challenge } from './read-challenge.js'
import { renew } from './renew.js'
import type { Grant, GrantKey, TokenStorage } from '../../../credentials/oauth/token-storage.js'

export interface OAuthOptions {
  /** The server's name, as in the config. */
  readonly server: string
  readonly url: string
  readonly settings: McpOAuthSettings
  /** The user of the tokens, as written in the records. */
  readonly user: string
  readonly storage: TokenStorage
  /** The command that logs a person in; `toolcrib login` for the server by default. */
  readonly loginCommand?: string | undefined
  /** Absent where there is no person: then a needed login is reported, not started. */
  readonly openBrowser?: ((url: URL) => void | Promise<void>) | undefined
  /** How long a person may take in the browser. Default: 5 minutes. */
  readonly loginTimeoutMs?: number | undefined
  /** How long a request with an expired token waits for a new one. Default: 10 seconds. */
  readonly renewalWaitMs?: number | undefined
  /** Tokens in use are added here, so that they are masked everywhere. */
  readonly secrets?: LiveSecrets | undefined
  now(): number
}

const LOGIN_TIMEOUT_MS = 5 * 60_000
/** Discovery loads several documents; this is the limit for all of them. */
const DISCOVERY_MS = 20_000
/** A token that is refused this soon after it was issued has not expired. */
const JUST_GIVEN_MS = 10_000

/** The steps towards a token for one user and one address. */
export interface LoginFlow {
  readonly server: string
  readonly known: KnownGrant
  /** Whether a new token can be obtained without an action elsewhere. */
  readonly canLogIn: boolean
  /** The error where a person must log in. `why` is a sentence without its end. */
  loginNeeded(why?: string): LoginNeeded
  discover(library: Library, challenge?: Challenge): Promise<Authority>
  /** The authorization server, cached. */
  authority(library: Library): Promise<Authority>
  /** Undefined where only a login helps. Requests with the same expired token share one renewal. */
  renew(library: Library, authority: Authority, spent: string | undefined): Promise<Grant | undefined>
  logIn(library: Library, authority: Authority, asked: AskedScope): Promise<Grant>
  /** How the grant's token was obtained, if that was a moment ago. */
  justGivenBy(grant: Grant): 'login' | 'renewal' | undefined
}

export interface AskedScope {
  readonly challenged: string | undefined
  readonly granted?: string | undefined
}

export function createLoginFlow(options: OAuthOptions): LoginFlow {
  const { server, settings, storage, now } = options
  const key: GrantKey = { user: options.user, url: addressOf(options.url) }
  const known = createKnownGrant({ ...options, key })
  const fetchFn = guardedFetch({ serverUrl: key.url })
  const isForClient = settings.grant === 'client_credentials'
  let last: Authority | undefined
  let given: { token: string | undefined; by: 'login' | 'renewal' } | undefined
  let renewing: Promise<Grant | undefined> | undefined

  function loginNeeded(why = `The server "${server}" needs a login`): LoginNeeded {
    return new LoginNeeded(server, `${why}: run ${options.loginCommand ?? ownCommand(`login ${server}`)}.`)
  }

  async function discover(library: Library, challenge?: Challenge): Promise<Authority> {
    const { resourceMetadataUrl } = challenge ?? {}
    try {
      const signal = AbortSignal.timeout(DISCOVERY_MS)
      last = await discoverAuthority(library, {
        server,
        serverUrl: key.url,
        resourceMetadataUrl,
        fetchFn: (url, init) => fetchFn(url, { ...init, signal }),
      })
      return last
    } catch (error) {
      throw toLoginFailed(`the server "${server}"`, 'where to get a token cannot be found out', error)
    }
  }

  async function renewNow(library: Library, authority: Authority, spent: string | undefined) {
    const grant = await renew(library, { server, key, settings, authority, storage, spent, fetchFn, now })
    known.adopt(grant)
    if (grant) given = { token: grant.accessToken, by: 'renewal' }
    return grant
  }

  return {
    server,
    known,
    canLogIn: isForClient || options.openBrowser !== undefined,
    loginNeeded,
    discover,
    authority: async (library) => last ?? discover(library),
    renew(library, authority, spent) {
      renewing ??= renewNow(library, authority, spent).finally(() => (renewing = undefined))
      return renewing
    },
    async logIn(library, authority, asked) {
      const { openBrowser, loginTimeoutMs: timeoutMs = LOGIN_TIMEOUT_MS } = options
      const scope = chooseScope(library, { authority, configured: settings.scopes, ...asked })
      const before = await known.lookAgain()
      const shared = { server, key, settings, authority, before, scope, fetchFn, now }
      if (!isForClient && !openBrowser) throw loginNeeded()
      const grant = isForClient
        ? await grantToClient(library, shared)
        : await authorize(library, { ...shared, timeoutMs, openBrowser: openBrowser! })
      await known.save(grant)
      given = { token: grant.accessToken, by: 'login' }
      return grant
    },
    justGivenBy(grant) {
      const isRecent = now() - grant.issuedAtMs < JUST_GIVEN_MS
      return isRecent && given?.token === grant.accessToken ? given?.by : undefined
    },
  }
}

/** Normalized, without the fragment: the same address has one set of tokens. */
export function addressOf(url: string): string {
  const address = new URL(url)
  address.hash = ''
  return address.href
}

interface ScopeSources {
  readonly authority: Authority
  readonly configured: readonly string[] | undefined
  /** The scope that the refusal named. */
  readonly challenged: string | undefined
  /** The scope that was granted before, and must not be lost. */
  readonly granted?: string | undefined
}

/**
 * The scope to request: the configured or challenged one, else what the server lists, else the authorization server's
 * default.
 */
function chooseScope(library: Library, sources: ScopeSources): string | undefined {
  const { authority, configured, challenged, granted } = sources
  const asked = library.computeScopeUnion(granted, configured?.join(' '), challenged)
  const scope = asked ?? library.computeScopeUnion(authority.scopes?.join(' '))
  // Without this scope some authorization servers issue no refresh token, and a person would have to log in every hour.
  const offline = authority.metadata?.scopes_supported?.includes('offline_access')
  return scope !== undefined && offline ? library.computeScopeUnion(scope, 'offline_access') : scope
}
