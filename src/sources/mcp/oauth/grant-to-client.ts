import { configuredClient, type ChooseClientOptions } from './choose-client.js'
import type { Library } from './library.js'
import { LoginFailed, toLoginFailed } from '../../../credentials/oauth/login-problem.js'
import { toGrant } from './to-grant.js'
import type { Grant, GrantKey } from '../../../credentials/oauth/token-storage.js'

export interface GrantToClientOptions extends Omit<ChooseClientOptions, 'redirectUrl'> {
  readonly key: GrantKey
  now(): number
}

/** Gets a token for the configured client itself, without a person. */
export async function grantToClient(library: Library, options: GrantToClientOptions): Promise<Grant> {
  const { server, settings, authority, scope, key } = options
  const client = configuredClient(options)
  if (!client || settings.clientSecret === undefined) {
    throw new LoginFailed(
      `The server "${server}" needs oauth.clientId and oauth.clientSecret for oauth.grant.`,
    )
  }
  const provider = new library.ClientCredentialsProvider({
    clientId: client.id,
    clientSecret: settings.clientSecret,
    expectedIssuer: authority.issuer,
  })
  try {
    const tokens = await library.fetchToken(provider, authority.url, {
      ...(authority.metadata && { metadata: authority.metadata }),
      ...(authority.resource !== undefined && { resource: authority.resource }),
      ...(scope !== undefined && { scope }),
      fetchFn: options.fetchFn,
    })
    return toGrant(tokens, {
      ...key,
      server,
      issuer: authority.issuer,
      client,
      scope,
      nowMs: options.now(),
    })
  } catch (error) {
    throw toLoginFailed(`the server "${server}"`, 'its authorization server gave no token', error)
  }
}
