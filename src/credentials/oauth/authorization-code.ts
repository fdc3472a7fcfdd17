import { createHash, randomBytes } from 'node:crypto'
import { unlessAborted } from '../../platform/async/unless-aborted.js'
import type { OAuthSettings } from '../credential-settings.js'
import { safeAddress } from './guarded-fetch.js'
import { LoginFailed, toLoginFailed } from './login-problem.js'
import { endpointOf, fetchFor, type Endpoint, type OAuthContext } from './oauth-context.js'
import { receiveRedirect } from './receive-redirect.js'
import { requestToken, TokenRefused, type IssuedToken, type OAuthClient } from './request-token.js'

export interface FlowOptions {
  readonly settings: OAuthSettings
  readonly context: OAuthContext
  readonly client: OAuthClient
  readonly token: Endpoint
  readonly scope: string | undefined
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  openBrowser(url: URL): void | Promise<void>
}

/** A person consents in the browser, and the code is exchanged for a token. With PKCE, only this process can do that. */
export async function authorizationCode(options: FlowOptions): Promise<IssuedToken> {
  const { settings, context, client, token, timeoutMs } = options
  const peer = `"${context.owner.entry}"`
  const page = endpointOf('authorization', settings, context)!
  const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const receiver = await receiveRedirect({ peer, state, timeoutMs, port: settings.redirect_port }).catch(
    (error: unknown) => {
      throw toLoginFailed(
        peer,
        `port ${settings.redirect_port ?? 'of the loopback address'} cannot be used`,
        error,
      )
    },
  )
  let step = 'the browser cannot be sent to its authorization server'
  try {
    const url = loginPage(page, { ...options, state, verifier, redirectUrl: receiver.url })
    await options.openBrowser(url)
    step = 'its authorization server did not agree'
    const code = readCode(await unlessAborted(receiver.answer, options.signal), peer)
    step = 'its authorization server gave no token'
    return await requestToken({
      url: token.url,
      client,
      params: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: receiver.url,
        code_verifier: verifier,
      },
      fetchFn: fetchFor(token, context),
    })
  } catch (error) {
    throw toLoginFailed(peer, step, error)
  } finally {
    receiver.close()
  }
}

function loginPage(
  { url, isNamed }: Endpoint,
  {
    settings,
    context,
    scope,
    state,
    verifier,
    redirectUrl,
  }: FlowOptions & { state: string; verifier: string; redirectUrl: string },
): URL {
  // The address is passed to a program of the system: only a web address is allowed.
  const page = new URL(safeAddress(url, isNamed ? url.href : context.origin))
  const params = {
    response_type: 'code',
    client_id: settings.client_id,
    redirect_uri: redirectUrl,
    scope,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    audience: settings.audience,
  }
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) page.searchParams.set(name, value)
  return page
}

function readCode(params: URLSearchParams, peer: string): string {
  const code = params.get('code')
  if (code !== null && !params.has('error')) return code
  if (params.get('error') === 'access_denied') throw new LoginFailed(`The login at ${peer} was not granted.`)
  throw new TokenRefused(params.get('error'))
}
