import { userName } from '../../platform/processes/user-name.js'
import { ownCommand, shellWord } from '../../platform/text/own-command.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'
import type { CredentialOwner, MissingCredential } from '../credential-problem.js'
import type { OAuthSettings } from '../credential-settings.js'
import { guardedFetch, type Fetch } from './guarded-fetch.js'
import type { GrantKey } from './token-storage.js'

/** What the document of an API says about its authorization server. */
export interface DocumentedOAuth {
  readonly authorizationUrl?: string | undefined
  readonly tokenUrl?: string | undefined
  readonly deviceAuthorizationUrl?: string | undefined
  readonly scopes: readonly string[]
}

export interface OAuthContext {
  /** The origin of the API. */
  readonly origin: string
  readonly owner: CredentialOwner
  readonly env: NodeJS.ProcessEnv
  readonly live: LiveSecrets
  readonly oauth?: DocumentedOAuth | undefined
  now(): number
}

export interface Endpoint {
  readonly url: URL
  /** Whether the settings name it; otherwise the document of the API does. */
  readonly isNamed: boolean
}

const FIELDS = {
  token: ['token_url', 'tokenUrl'],
  authorization: ['authorization_url', 'authorizationUrl'],
  device: ['device_authorization_url', 'deviceAuthorizationUrl'],
} as const

export type EndpointKind = keyof typeof FIELDS

/** An address of the authorization server: that of the settings, else that of the API's document. */
export function endpointOf(
  kind: EndpointKind,
  settings: OAuthSettings | undefined,
  { oauth, origin }: OAuthContext,
): Endpoint | undefined {
  const [field, documentedField] = FIELDS[kind]
  const named = settings?.[field]
  if (named !== undefined) return { url: new URL(named), isNamed: true }
  const documented = oauth?.[documentedField]
  if (documented === undefined || !URL.canParse(documented, origin)) return undefined
  return { url: new URL(documented, origin), isNamed: false }
}

/** Addresses that a document names may reach no further into the network than the API itself. */
export function fetchFor({ url, isNamed }: Endpoint, { origin }: OAuthContext): Fetch {
  return guardedFetch({ serverUrl: isNamed ? url.href : origin })
}

export function endpointMissing(kind: EndpointKind, { owner }: OAuthContext): MissingCredential {
  return {
    message: `"${owner.entry}" needs "${FIELDS[kind][0]}" in its credential (${owner.name}), because the API does not name this address.`,
    code: 'toolcrib.setup_required',
  }
}

/** Where the tokens of a login are stored. Those of one origin are never used for another. */
export function grantKeyOf(
  { origin, owner }: Pick<OAuthContext, 'origin' | 'owner'>,
  user: string = userName(),
): GrantKey {
  return { user, url: `${origin}/#${owner.entry}/${owner.name}` }
}

/** The scopes of the settings, else those that the API needs. */
export function scopeOf(settings: OAuthSettings, { oauth }: OAuthContext): string | undefined {
  const scopes = settings.scopes ?? oauth?.scopes ?? []
  return scopes.length === 0 ? undefined : scopes.join(' ')
}

export function loginMissing({ owner }: OAuthContext, why = 'needs a login'): MissingCredential {
  return {
    message: `"${owner.entry}" ${why} (${owner.name}): run ${ownCommand(`login ${shellWord(owner.entry)}`)}.`,
    code: 'toolcrib.credential_missing',
  }
}
