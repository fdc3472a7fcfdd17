import type * as OAuth from 'oauth4webapi'
import { guardedFetch } from '../../../credentials/oauth/guarded-fetch.js'
import { codeOf } from '../../../credentials/oauth/login-problem.js'
import { parseCredentialSettings } from '../../../credentials/parse-credential-settings.js'
import { setupProblem } from '../../../credentials/credential-problem.js'
import { openSecret } from '../../../credentials/secrets/open-secret.js'
import type { SecretSource } from '../../../credentials/secrets/secret-source.js'
import { claimOf, ROLES_CLAIM, type OidcSettings } from '../../../host/identities/oidc-person.js'
import { isLoopbackName } from '../../../http-client/is-loopback.js'

/** What must come back with a login, so that it is the one that this browser started. */
export interface PendingLogin {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The claims of a person, or why the login failed: one sentence without a part of the provider's answer. */
export type LoginResult = { readonly claims: Readonly<Record<string, unknown>> } | { readonly failed: string }

/** Logs people in at an OpenID provider: authorization code flow with PKCE. */
export interface OidcClient {
  /** The page of the provider that the browser goes to. */
  start(redirectUrl: string): Promise<{ readonly url: URL; readonly pending: PendingLogin }>
  finish(
    answer: URLSearchParams,
    options: { readonly pending: PendingLogin; readonly redirectUrl: string },
  ): Promise<LoginResult>
}

export interface OidcClientOptions {
  readonly settings: OidcSettings
  readonly env: NodeJS.ProcessEnv
  now(): number
}

const DEFAULT_SCOPES = ['openid', 'profile', 'email']
/** How long the addresses of the provider are cached. */
const CACHE_MS = 10 * 60_000
/** How long a provider that did not answer gets no further request. */
const AFTER_FAILURE_MS = 5000

type RequestOptions = OAuth.DiscoveryRequestOptions &
  OAuth.TokenEndpointRequestOptions &
  OAuth.UserInfoRequestOptions &
  OAuth.ValidateSignatureOptions

interface Provider {
  readonly oauth: typeof OAuth
  readonly as: OAuth.AuthorizationServer
  readonly client: OAuth.Client
  readonly requests: RequestOptions
}

/** Throws one sentence where the settings cannot be used. */
export function createOidcClient(options: OidcClientOptions): OidcClient {
  const { settings, now } = options
  const issuer = issuerOf(settings)
  const secret = secretOf(options)
  let cached: { readonly provider: Promise<Provider>; until: number } | undefined

  function provider(): Promise<Provider> {
    if (cached && cached.until > now()) return cached.provider
    const entry = { provider: discover(issuer, settings), until: now() + CACHE_MS }
    cached = entry
    // Anyone can start logins: each of them must not send a request to a provider that does not answer.
    entry.provider.catch(() => (entry.until = now() + AFTER_FAILURE_MS))
    return entry.provider
  }

  return {
    async start(redirectUrl) {
      const { oauth, as } = await provider()
      if (as.authorization_endpoint === undefined) throw new Error('The provider names no page to log in.')
      const pending = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      }
      const url = new URL(as.authorization_endpoint)
      const scopes = new Set(['openid', ...(settings.scopes ?? DEFAULT_SCOPES)])
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: settings.clientId,
        redirect_uri: redirectUrl,
        scope: [...scopes].join(' '),
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      }))
        url.searchParams.set(name, value)
      return { url, pending }
    },
    async finish(answer, { pending, redirectUrl }) {
      const key = await secret?.load({ isRefused: false })
      try {
        return { claims: await claimsOf(await provider(), { answer, pending, redirectUrl, key, settings }) }
      } catch (error) {
        const code = codeOf(error) ?? nameOf(error)
        return { failed: `The login at ${issuer.host} failed (${code}); start it again.` }
      }
    },
  }
}

function issuerOf({ issuer }: OidcSettings): URL {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname))
  if (url && isSafe) return url
  throw setupProblem('"serve.auth.oidc.issuer" must be the https address of the OpenID provider.')
}

function secretOf({ settings, env, now }: OidcClientOptions): SecretSource | undefined {
  if (settings.clientSecret === undefined) return undefined
  const where = 'serve.auth.oidc.clientSecret'
  const parsed = parseCredentialSettings(settings.clientSecret, where)
  if (!parsed.ok) throw setupProblem(parsed.problems[0]!)
  if (parsed.settings.kind !== 'secret')
    throw setupProblem(`"${where}" says where the secret is read from: a source and its name.`)
  return openSecret(parsed.settings.secret, {
    env,
    now,
    owner: { entry: 'serve.auth.oidc', name: 'clientSecret' },
  })
}

async function discover(issuer: URL, settings: OidcSettings): Promise<Provider> {
  const oauth = await import('oauth4webapi')
  const requests: RequestOptions = {
    [oauth.customFetch]: guardedFetch({ serverUrl: settings.issuer }),
    // Without encryption only on this machine, where nobody can listen.
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
  }
  const answer = await oauth.discoveryRequest(issuer, { ...requests, algorithm: 'oidc' })
  const as = await oauth.processDiscoveryResponse(issuer, answer)
  return { oauth, as, client: { client_id: settings.clientId }, requests }
}

/** Exchanges the code, checks the identity token, and reads further claims where they are needed. */
async function claimsOf(
  { oauth, as, client, requests }: Provider,
  {
    answer,
    pending,
    redirectUrl,
    key,
    settings,
  }: {
    answer: URLSearchParams
    pending: PendingLogin
    redirectUrl: string
    key: string | undefined
    settings: OidcSettings
  },
): Promise<Record<string, unknown>> {
  const params = oauth.validateAuthResponse(as, client, answer, pending.state)
  const { verifier, nonce: expectedNonce } = pending
  const proof = clientAuthOf(oauth, as, key)
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    proof,
    params,
    redirectUrl,
    verifier,
    requests,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(as, response, requests)
  const claims: Record<string, unknown> = { ...oauth.getValidatedIdTokenClaims(tokens) }
  const { rolesClaim = ROLES_CLAIM, actorClaim = 'sub', tenantClaim } = settings
  const needed = [rolesClaim, actorClaim, ...(tenantClaim === undefined ? [] : [tenantClaim])]
  const isComplete = needed.every((name) => claimOf(claims, name) !== undefined)
  if (isComplete || as.userinfo_endpoint === undefined) return claims
  const told = await oauth.userInfoRequest(as, client, tokens.access_token, requests)
  // The identity token is signed: what it says counts.
  return { ...(await oauth.processUserInfoResponse(as, client, String(claims['sub']), told)), ...claims }
}

function clientAuthOf(
  oauth: typeof OAuth,
  { token_endpoint_auth_methods_supported: methods }: OAuth.AuthorizationServer,
  key: string | undefined,
): OAuth.ClientAuth {
  if (key === undefined) return oauth.None()
  const isPost = methods?.includes('client_secret_basic') === false && methods.includes('client_secret_post')
  return isPost ? oauth.ClientSecretPost(key) : oauth.ClientSecretBasic(key)
}

/** Texts of errors may repeat what the provider sent. */
function nameOf(error: unknown): string {
  const { error: code } = (error ?? {}) as { error?: unknown }
  if (typeof code === 'string' && /^[a-z_]{1,40}$/.test(code)) return code
  return error instanceof Error ? error.name : 'unknown error'
}
