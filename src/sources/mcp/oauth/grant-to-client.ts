import { configuredClient, type ChooseClientOptions } from './choose-client.js'
import type { Library } from './library.js'
import { LoginFailed, toLoginFailed } from './login-problem.js'
import { toGrant } from './to-grant.js'
import type { Grant, GrantPlace } from './token-storage.js'

export interface GrantToClientOptions extends Omit<ChooseClientOptions, 'redirectUrl'> {
  readonly place: GrantPlace
  now(): number
}

/** A token for the configured client itself, where no person stands behind it. */
export async function grantToClient(library: Library, options: GrantToClientOptions): Promise<Grant> {
  const { server, settings, authority, scope, place } = options
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
      ...place,
      server,
      issuer: authority.issuer,
      client,
      scope,
      nowMs: options.now(),
    })
  } catch (error) {
    throw toLoginFailed(server, 'its authorization server gave no token', error)
  }
}
