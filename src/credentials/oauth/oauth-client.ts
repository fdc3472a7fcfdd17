import type { MissingCredential } from '../credential-problem.js'
import type { OAuthSettings } from '../credential-settings.js'
import { openSecret } from '../secrets/open-secret.js'
import {
  endpointMissing,
  endpointOf,
  type Endpoint,
  type EndpointKind,
  type OAuthContext,
} from './oauth-context.js'
import type { OAuthClient } from './request-token.js'

/** The configured OAuth client. */
export interface ClientSource {
  missing(): MissingCredential | undefined
  load(options?: { readonly isRefused: boolean }): Promise<OAuthClient>
}

/** `uses` are the addresses that the client is identified to. */
export function oauthClient(
  settings: OAuthSettings,
  context: OAuthContext,
  uses: readonly EndpointKind[] = ['token'],
): ClientSource {
  const { client_id: id, client_auth: auth, client_secret } = settings
  const secret = client_secret && openSecret(client_secret, context)
  const missing = (): MissingCredential | undefined =>
    uses.map((kind) => endpointProblem(kind, settings, context)).find((problem) => problem) ??
    secret?.missing()
  return {
    missing,
    load: async (options = { isRefused: false }) =>
      secret ? { id, auth, secret: await secret.load(options) } : { id },
  }
}

/**
 * The document of an API may name any address and may change. A client secret is sent only to an address that the
 * config names, or to the API itself.
 */
function endpointProblem(
  kind: EndpointKind,
  settings: OAuthSettings,
  context: OAuthContext,
): MissingCredential | undefined {
  const endpoint = endpointOf(kind, settings, context)
  if (!endpoint) return endpointMissing(kind, context)
  const isPage = kind === 'authorization'
  if (settings.client_secret === undefined || isPage || mayHaveSecret(endpoint, settings, context))
    return undefined
  const { entry, name } = context.owner
  const field = kind === 'token' ? 'token_url' : 'device_authorization_url'
  return {
    message: `"${entry}" needs "${field}: ${endpoint.url.href}" in its credential (${name}), because a client secret is sent only to addresses that the config names.`,
    code: 'toolcrib.setup_required',
  }
}

function mayHaveSecret(
  { url, isNamed }: Endpoint,
  { token_url: named }: OAuthSettings,
  { origin }: OAuthContext,
): boolean {
  return isNamed || url.origin === origin || (named !== undefined && url.origin === new URL(named).origin)
}
