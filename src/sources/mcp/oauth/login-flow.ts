import { ownCommand } from '../../../platform/text/own-command.js'
import type { LiveSecrets } from '../../../redaction/live-secrets.js'
import type { McpOAuthSettings } from '../server-settings.js'
import { authorize } from './authorize.js'
import { chooseScope } from './choose-scope.js'
import { discoverAuthority, type Authority } from './discover-authority.js'
import { grantToClient } from './grant-to-client.js'
import { guardedFetch } from './guarded-fetch.js'
import { createKnownGrant, type KnownGrant } from './known-grant.js'
import type { Library } from './library.js'
import { LoginNeeded, toLoginFailed } from './login-problem.js'
import type { Challenge } from './read-challenge.js'
import { renew } from './renew.js'
import type { Grant, GrantPlace, TokenStorage } from './token-storage.js'

export interface OAuthOptions {
  /** The server's name, as in the config. */
  readonly server: string
  readonly url: string
  readonly settings: McpOAuthSettings
  /** Whose tokens, as written in the records. */
  readonly user: string
  readonly storage: TokenStorage
  /** What a person runs to log in; `toolcrib login` for the server, unless said. */
  readonly loginCommand?: string | undefined
  /** Absent where there is no person: then a login that is needed is said, and not begun. */
  readonly openBrowser?: ((url: URL) => void | Promise<void>) | undefined
  /** How long a person may take in the browser. 5 minutes, unless said. */
  readonly loginTimeoutMs?: number | undefined
  /** How long a request whose token is over waits for a new one. 10 seconds, unless said. */
  readonly renewalWaitMs?: number | undefined
  /** Tokens in use are put in here, so that they show nowhere. */
  readonly secrets?: LiveSecrets | undefined
  now(): number
}

const LOGIN_TIMEOUT_MS = 5 * 60_000
/** Several documents are asked for, at several places; all of it takes no longer than this. */
const DISCOVERY_MS = 20_000
/** A token refused this soon after it was given is not refused for its age. */
const JUST_GIVEN_MS = 10_000

/** The steps towards a token for one user and one address. */
export interface LoginFlow {
  readonly server: string
  readonly known: KnownGrant
  /** Whether a new token can be had without anybody doing something elsewhere first. */
  readonly canLogIn: boolean
  /** What is thrown where a person has to log in. `why` is a sentence without its end. */
  loginNeeded(why?: string): LoginNeeded
  discover(library: Library, challenge?: Challenge): Promise<Authority>
  /** The authority as it was last seen. */
  authority(library: Library): Promise<Authority>
  /** Nothing where only a login helps. All who find the same token spent wait for one renewal. */
  renew(library: Library, authority: Authority, spent: string | undefined): Promise<Grant | undefined>
  logIn(library: Library, authority: Authority, asked: AskedScope): Promise<Grant>
  /** How the token of this grant came, where that was a moment ago. */
  justGivenBy(grant: Grant): 'login' | 'renewal' | undefined
}

export interface AskedScope {
  readonly challenged: string | undefined
  readonly granted?: string | undefined
}

export function createLoginFlow(options: OAuthOptions): LoginFlow {
  const { server, settings, storage, now } = options
  const place: GrantPlace = { user: options.user, url: addressOf(options.url) }
  const known = createKnownGrant({ ...options, place })
  const fetchFn = guardedFetch({ serverUrl: place.url })
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
        serverUrl: place.url,
        resourceMetadataUrl,
        fetchFn: (url, init) => fetchFn(url, { ...init, signal }),
      })
      return last
    } catch (error) {
      throw toLoginFailed(server, 'where to get a token cannot be found out', error)
    }
  }

  async function renewNow(library: Library, authority: Authority, spent: string | undefined) {
    const grant = await renew(library, { server, place, settings, authority, storage, spent, fetchFn, now })
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
      const shared = { server, place, settings, authority, before, scope, fetchFn, now }
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

/** Without the fragment, in one spelling: the same address has one set of tokens. */
export function addressOf(url: string): string {
  const address = new URL(url)
  address.hash = ''
  return address.href
}
