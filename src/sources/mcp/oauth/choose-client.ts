import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client'
import type { McpOAuthSettings } from '../server-settings.js'
import type { Authority } from './discover-authority.js'
import type { Fetch } from '../../../credentials/oauth/guarded-fetch.js'
import type { Library } from './library.js'
import { LoginFailed } from '../../../credentials/oauth/login-problem.js'
import type { Grant, GrantClient } from '../../../credentials/oauth/token-storage.js'

export interface ChooseClientOptions {
  readonly server: string
  readonly settings: McpOAuthSettings
  readonly authority: Authority
  /** The stored grant. */
  readonly before: Grant | undefined
  readonly redirectUrl: string
  readonly scope: string | undefined
  readonly fetchFn: Fetch
}

/**
 * The OAuth client to use: the configured one, the one of a metadata document, the one registered before, or a new one.
 */
export async function chooseClient(library: Library, options: ChooseClientOptions): Promise<GrantClient> {
  const { server, settings, authority, redirectUrl } = options
  const configured = configuredClient(options)
  if (configured) return configured
  if (settings.clientMetadataUrl !== undefined && authority.metadata?.client_id_metadata_document_supported) {
    return { id: settings.clientMetadataUrl, from: 'document' }
  }
  const registered = registeredClient(options)
  if (registered?.redirectUrl === redirectUrl) return registered
  if (authority.metadata && authority.metadata.registration_endpoint === undefined) {
    throw new LoginFailed(
      `The authorization server of "${server}" registers no clients by itself: register one there and set oauth.clientId.`,
    )
  }
  return register(library, options)
}

/** The client that was registered with this authorization server before. */
export function registeredClient({
  before,
  authority,
}: Pick<ChooseClientOptions, 'before' | 'authority'>): GrantClient | undefined {
  const isOurs = before?.issuer === authority.issuer && before.client.from === 'registration'
  return isOurs ? before.client : undefined
}

/** A configured client belongs to one authorization server: its secret must not be sent to another one. */
export function configuredClient({
  server,
  settings,
  authority,
  before,
}: Pick<ChooseClientOptions, 'server' | 'settings' | 'authority' | 'before'>): GrantClient | undefined {
  if (settings.clientId === undefined) return undefined
  const issuer = settings.issuer ?? before?.issuer
  if (issuer === undefined || issuer === authority.issuer) return { id: settings.clientId, from: 'settings' }
  throw new LoginFailed(
    settings.issuer === undefined
      ? `The server "${server}" names another authorization server than before; where that is right, set oauth.issuer and oauth.clientId for it.`
      : `The server "${server}" names another authorization server than oauth.issuer, so its client id is not used there.`,
  )
}

async function register(
  library: Library,
  { authority, redirectUrl, scope, fetchFn }: ChooseClientOptions,
): Promise<GrantClient> {
  const clientMetadata = library.resolveClientMetadata({
    redirectUrl,
    clientMetadata: {
      client_name: 'Toolcrib',
      redirect_uris: [redirectUrl],
      response_types: ['code'],
      token_endpoint_auth_method: preferredMethod(authority),
    },
  })
  const information = await library.registerClient(authority.url, {
    ...(authority.metadata && { metadata: authority.metadata }),
    clientMetadata,
    ...(scope !== undefined && { scope }),
    fetchFn,
  })
  return {
    id: information.client_id,
    secret: information.client_secret,
    authMethod: information.token_endpoint_auth_method,
    from: 'registration',
    redirectUrl,
  }
}

/** A program on a user's machine cannot keep a secret: "none", where that is supported. */
function preferredMethod({ metadata }: Authority): string {
  const supported = metadata?.token_endpoint_auth_methods_supported
  if (!supported || supported.includes('none')) return 'none'
  const methods = ['client_secret_basic', 'client_secret_post']
  return methods.find((method) => supported.includes(method)) ?? 'none'
}

/** The client in the library's format, with its secret from the settings or the grant. */
export function toClientInformation(
  client: GrantClient,
  { clientSecret }: McpOAuthSettings,
): OAuthClientInformationMixed {
  const secret = client.from === 'settings' ? clientSecret : client.secret
  return {
    client_id: client.id,
    ...(secret !== undefined && { client_secret: secret }),
    ...(client.authMethod !== undefined && {
      redirect_uris: [],
      token_endpoint_auth_method: client.authMethod,
    }),
  }
}

/** Whether a grant belongs to the client in the current settings. */
export function isOfThisClient({ client }: Grant, settings: McpOAuthSettings): boolean {
  if (settings.clientId !== undefined) return client.from === 'settings' && client.id === settings.clientId
  return client.from !== 'settings'
}
