import { randomBytes } from 'node:crypto'
import type { McpOAuthSettings } from '../server-settings.js'
import { chooseClient, registeredClient, toClientInformation } from './choose-client.js'
import type { Authority } from './discover-authority.js'
import { safeAddress, type Fetch } from '../../../credentials/oauth/guarded-fetch.js'
import type { Library } from './library.js'
import { LoginFailed, toLoginFailed } from '../../../credentials/oauth/login-problem.js'
import {
  receiveRedirect,
  type ReceiveOptions,
  type RedirectReceiver,
} from '../../../credentials/oauth/receive-redirect.js'
import { toGrant } from './to-grant.js'
import type { Grant, GrantClient, GrantKey } from '../../../credentials/oauth/token-storage.js'

export interface AuthorizeOptions {
  readonly server: string
  readonly key: GrantKey
  readonly settings: McpOAuthSettings
  readonly authority: Authority
  /** The stored grant. */
  readonly before: Grant | undefined
  readonly scope: string | undefined
  readonly fetchFn: Fetch
  readonly timeoutMs: number
  openBrowser(url: URL): void | Promise<void>
  now(): number
}

/** The authorization code flow: a person consents in the browser, and the code is exchanged for a token. */
export async function authorize(library: Library, options: AuthorizeOptions): Promise<Grant> {
  const { server, settings, timeoutMs } = options
  const peer = `the server "${server}"`
  requirePkce(options)
  const state = randomBytes(32).toString('base64url')
  const receiver = await listenForBrowser(
    { peer, state, timeoutMs },
    settings.redirectPort,
    registeredClient(options),
  )
  let step = 'this program is not known to its authorization server'
  try {
    const client = await chooseClient(library, { ...options, redirectUrl: receiver.url })
    step = 'the browser cannot be sent to its authorization server'
    const { url, codeVerifier } = await startInBrowser(library, { ...options, client, receiver, state })
    step = 'its authorization server did not agree'
    await options.openBrowser(url)
    const params = await receiver.answer
    const code = readCode(library, params, options)
    step = 'its authorization server gave no token'
    return await redeem(library, { ...options, client, receiver, code, iss: params.get('iss'), codeVerifier })
  } catch (error) {
    throw toLoginFailed(peer, step, error)
  } finally {
    receiver.close()
  }
}

/** Without PKCE, anyone who sees the code in transit can get the token. */
function requirePkce({ server, authority: { metadata } }: AuthorizeOptions): void {
  if (!metadata || metadata.code_challenge_methods_supported?.includes('S256')) return
  throw new LoginFailed(
    `The authorization server of "${server}" does not support PKCE with S256, and without it no login is safe.`,
  )
}

/** A self-registered client is bound to the port of its registration: that port is used again, if it is free. */
async function listenForBrowser(
  options: ReceiveOptions,
  configured: number | undefined,
  known: GrantClient | undefined,
): Promise<RedirectReceiver> {
  try {
    if (configured !== undefined) return await receiveRedirect({ ...options, port: configured })
    const before = known?.redirectUrl === undefined ? undefined : Number(new URL(known.redirectUrl).port)
    return await receiveRedirect({ ...options, port: before }).catch(() => receiveRedirect(options))
  } catch (error) {
    throw toLoginFailed(options.peer, `port ${configured ?? 'of the loopback address'} cannot be used`, error)
  }
}

async function startInBrowser(
  library: Library,
  {
    authority,
    client,
    receiver,
    scope,
    state,
    settings,
    key,
  }: AuthorizeOptions & { client: GrantClient; receiver: RedirectReceiver; state: string },
): Promise<{ url: URL; codeVerifier: string }> {
  const { metadata, resource } = authority
  const { authorizationUrl, codeVerifier } = await library.startAuthorization(authority.url, {
    ...(metadata && { metadata }),
    clientInformation: toClientInformation(client, settings),
    redirectUrl: receiver.url,
    ...(scope !== undefined && { scope }),
    state,
    ...(resource !== undefined && { resource }),
  })
  // The address is passed to a program of the system: only a web address is allowed.
  return { url: safeAddress(authorizationUrl, key.url), codeVerifier }
}

/** The state is checked before the content: an error with another state says nothing. */
function readCode(
  library: Library,
  params: URLSearchParams,
  { server, authority }: AuthorizeOptions,
): string {
  library.validateAuthorizationResponseIssuer({
    iss: params.get('iss') ?? undefined,
    expectedIssuer: authority.metadata?.issuer,
    issParameterSupported: authority.metadata?.authorization_response_iss_parameter_supported === true,
  })
  const code = params.get('code')
  if (code !== null && !params.has('error')) return code
  const error = Object.assign(new Error(), { code: params.get('error') })
  throw error.code === 'access_denied'
    ? new LoginFailed(`The login at the server "${server}" was not granted.`)
    : error
}

async function redeem(
  library: Library,
  options: AuthorizeOptions & {
    client: GrantClient
    receiver: RedirectReceiver
    code: string
    iss: string | null
    codeVerifier: string
  },
): Promise<Grant> {
  const { authority, client, server, key, scope, settings } = options
  const tokens = await library.exchangeAuthorization(authority.url, {
    ...(authority.metadata && { metadata: authority.metadata }),
    clientInformation: toClientInformation(client, settings),
    authorizationCode: options.code,
    ...(options.iss !== null && { iss: options.iss }),
    codeVerifier: options.codeVerifier,
    redirectUri: options.receiver.url,
    ...(authority.resource !== undefined && { resource: authority.resource }),
    fetchFn: options.fetchFn,
  })
  return toGrant(tokens, { ...key, server, issuer: authority.issuer, client, scope, nowMs: options.now() })
}
