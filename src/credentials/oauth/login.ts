import { trackSecrets } from '../track-secrets.js'
import type { OAuthGrant, OAuthSettings } from '../credential-settings.js'
import { authorizationCode, type FlowOptions } from './authorization-code.js'
import { requestClientToken } from './client-credential.js'
import { deviceCode, type DeviceOptions } from './device-code.js'
import { fileTokenStorage } from './file-token-storage.js'
import { LoginFailed, toLoginFailed } from './login-problem.js'
import { oauthClient } from './oauth-client.js'
import { endpointOf, grantKeyOf, scopeOf, type EndpointKind, type OAuthContext } from './oauth-context.js'
import type { IssuedToken } from './request-token.js'
import { toGrant } from './issued-grant.js'
import type { Grant } from './token-storage.js'

/** A login that an entry of the config needs. */
export interface EntryLogin {
  /** Absent where the config has no OAuth client for it. */
  readonly settings: OAuthSettings | undefined
  readonly context: Omit<OAuthContext, 'now'>
}

export interface LoginOptions extends Pick<DeviceOptions, 'openBrowser' | 'show' | 'signal' | 'wait'> {
  readonly settings: OAuthSettings
  /** The grant of the settings by default. */
  readonly flow?: OAuthGrant | undefined
  readonly context: Omit<OAuthContext, 'now'> & { now?(): number }
  /** The user of the tokens; that of this process by default. */
  readonly user?: string | undefined
  /** How long a person may take. Default: 10 minutes. */
  readonly timeoutMs?: number | undefined
}

const TIMEOUT_MS = 10 * 60_000

const USES: Readonly<Record<OAuthGrant, readonly EndpointKind[]>> = {
  authorization_code: ['authorization', 'token'],
  device_code: ['device', 'token'],
  client_credentials: ['token'],
}

/**
 * Logs a person in at the authorization server of an API, and stores the tokens sealed. For client credentials, which
 * need no person, it only tries whether the client gets a token. Rejects with `LoginFailed`.
 */
export async function login(options: LoginOptions): Promise<Grant> {
  const { settings, flow = settings.grant, user } = options
  const context: OAuthContext = { now: Date.now, ...options.context }
  const source = oauthClient(settings, context, USES[flow])
  const problem = source.missing()
  if (problem) throw new LoginFailed(problem.message)
  const client = await source.load()
  const track = trackSecrets(context.live)
  track(client.secret === undefined ? [] : [client.secret])
  const token = endpointOf('token', settings, context)!
  const scope = scopeOf(settings, context)
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  const issued = await runFlow(flow, { ...options, context, client, token, scope, timeoutMs })
  const grant = toGrant(issued, {
    ...grantKeyOf(context, user),
    issuer: token.url.href,
    client: { id: settings.client_id, from: 'settings' },
    scope,
    nowMs: context.now(),
  })
  track([client.secret, grant.accessToken, grant.refreshToken].filter((each) => each !== undefined))
  if (flow === 'client_credentials') return grant
  const storage = fileTokenStorage({ env: context.env })
  await storage.exclusively(grant, () => storage.save(grant))
  return grant
}

function runFlow(flow: OAuthGrant, options: DeviceOptions & FlowOptions): Promise<IssuedToken> {
  switch (flow) {
    case 'authorization_code':
      return authorizationCode(options)
    case 'device_code':
      return deviceCode(options)
    case 'client_credentials':
      return requestClientToken(options).catch((error: unknown) => {
        throw toLoginFailed(
          `"${options.context.owner.entry}"`,
          'its authorization server gave no token',
          error,
        )
      })
  }
}

/** Removes the stored tokens of a login. Returns whether there were any. */
export async function logout(
  context: Pick<OAuthContext, 'origin' | 'owner' | 'env'>,
  user?: string,
): Promise<boolean> {
  const storage = fileTokenStorage({ env: context.env })
  const key = grantKeyOf(context, user)
  return storage.exclusively(key, () => storage.remove(key))
}
