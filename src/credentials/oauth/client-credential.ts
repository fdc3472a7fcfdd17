import type { Credential } from '../../http-client/credential.js'
import { credentialProblem, type MissingCredential } from '../credential-problem.js'
import type { OAuthSettings } from '../credential-settings.js'
import { tokenCredential, type TokenPosition } from '../token-credential.js'
import type { FlowOptions } from './authorization-code.js'
import { oauthClient } from './oauth-client.js'
import { endpointOf, fetchFor, scopeOf, type OAuthContext } from './oauth-context.js'
import { requestToken, type IssuedToken } from './request-token.js'
import { tokenProblem } from './token-problem.js'

/** Tokens that the client gets for itself, without a person. They are kept in memory only. */
export function clientCredential(
  settings: OAuthSettings,
  { sentAs, ...context }: OAuthContext & { sentAs: TokenPosition },
): Credential & { missing(): MissingCredential | undefined } {
  const source = oauthClient(settings, context)
  const credential = tokenCredential({
    origin: context.origin,
    sentAs,
    live: context.live,
    now: context.now,
    async load(refused) {
      const problem = source.missing()
      if (problem) throw credentialProblem(problem)
      const client = await source.load({ isRefused: refused !== undefined })
      const token = endpointOf('token', settings, context)!
      const scope = scopeOf(settings, context)
      const issued = await requestClientToken({ settings, context, client, token, scope }).catch(
        (error: unknown) => {
          throw tokenProblem(context.owner, 'its authorization server gave no token', error)
        },
      )
      return {
        value: issued.accessToken,
        expiresAtMs: issued.expiresInMs === undefined ? undefined : context.now() + issued.expiresInMs,
        secrets: [issued.accessToken, ...(client.secret === undefined ? [] : [client.secret])],
      }
    },
  })
  return { ...credential, missing: () => source.missing() }
}

export function requestClientToken({
  settings,
  context,
  client,
  token,
  scope,
}: Pick<FlowOptions, 'settings' | 'context' | 'client' | 'token' | 'scope'>): Promise<IssuedToken> {
  return requestToken({
    url: token.url,
    client,
    params: { grant_type: 'client_credentials', scope, audience: settings.audience },
    fetchFn: fetchFor(token, context),
  })
}
