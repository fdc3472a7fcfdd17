import type { Credential } from '../http-client/credential.js'
import type { LiveSecrets } from '../redaction/live-secrets.js'
import { brokerCredential } from './cloud/broker-credential.js'
import { credentialProblem, type CredentialOwner, type MissingCredential } from './credential-problem.js'
import type { CredentialSettings, OAuthSettings } from './credential-settings.js'
import { clientCredential } from './oauth/client-credential.js'
import { loginCredential } from './oauth/login-credential.js'
import type { DocumentedOAuth } from './oauth/oauth-context.js'
import { openSecret } from './secrets/open-secret.js'
import { secretCredential } from './secret-credential.js'
import { BEARER, type TokenPosition } from './token-credential.js'

/** Where the secret goes. `basic`: the secret is `user:password`, or JSON with `username` and `password`. */
export type CredentialPosition = TokenPosition | { readonly in: 'basic' }

export interface CredentialContext {
  /** The only origin that it is sent to. */
  readonly origin: string
  /** From the protocol: an OpenAPI security scheme, an AML header. */
  readonly sentAs: CredentialPosition
  readonly env: NodeJS.ProcessEnv
  /** Secrets in use are added here, so that they are masked everywhere. */
  readonly live: LiveSecrets
  now?(): number
  readonly owner: CredentialOwner
  /** Where tokens come from, as the API's document says. */
  readonly oauth?: DocumentedOAuth | undefined
}

export interface OpenedCredential extends Credential {
  /** What is missing, as far as that is known without a request; undefined where it is set up. */
  missing(): MissingCredential | undefined
  /** Whether nothing is sent, by the settings. */
  readonly isNone?: true
}

/**
 * The credential of one security scheme. Without settings it is the person's own secret `<entry>/<scheme>`, or a login
 * where the API has an authorization server.
 */
export function openCredential(
  settings: CredentialSettings | undefined,
  context: CredentialContext,
): OpenedCredential {
  const { origin, owner } = context
  const own = ownSecret(owner)
  if (!settings && context.oauth)
    return loginOrSecret(openLogin(undefined, context), openCredential(own, context))
  const given = settings ?? own
  switch (given.kind) {
    case 'none':
      return { origin, proof: () => ({}), missing: () => undefined, isNone: true }
    case 'secret':
      return openSecretCredential(given, context)
    case 'oauth':
      return openLogin(given, context)
    case 'broker':
      return brokerCredential(given, {
        ...context,
        now: context.now ?? Date.now,
        sentAs: tokenPosition(context),
        scopes: context.oauth?.scopes ?? [],
      })
    case 'iam-role':
      return unusable(origin, {
        message: `"${owner.entry}" needs another credential (${owner.name}): scheme iam-role is for the services of a cloud, not for an API.`,
        code: 'toolcrib.setup_required',
      })
  }
}

function ownSecret({ entry, name }: CredentialOwner): CredentialSettings {
  return { kind: 'secret', scheme: undefined, secret: { source: 'keyring', name: `${entry}/${name}` } }
}

function openSecretCredential(
  { scheme, header, secret }: Extract<CredentialSettings, { kind: 'secret' }>,
  context: CredentialContext,
): OpenedCredential {
  const { now = Date.now, sentAs } = context
  const position = scheme === undefined || scheme === 'api-key' ? sentAs : BEARER
  return secretCredential({
    ...context,
    source: openSecret(secret, { ...context, now }),
    isServiceAccount: scheme === 'service-account',
    position: header === undefined ? position : { in: 'header', name: header },
  })
}

function openLogin(settings: OAuthSettings | undefined, context: CredentialContext): OpenedCredential {
  const { now = Date.now } = context
  const given = { ...context, now, sentAs: tokenPosition(context) }
  return settings?.grant === 'client_credentials'
    ? clientCredential(settings, given)
    : loginCredential(settings, given)
}

/** A token has no user name, so that it cannot be sent as one. */
function tokenPosition({ sentAs }: CredentialContext): TokenPosition {
  return sentAs.in === 'basic' ? BEARER : sentAs
}

/** Of a person's login and a token that the person stored, the one that is there. */
function loginOrSecret(login: OpenedCredential, secret: OpenedCredential): OpenedCredential {
  const chosen = (): OpenedCredential =>
    login.missing() !== undefined && secret.missing() === undefined ? secret : login
  return {
    origin: login.origin,
    proof: () => chosen().proof(),
    refused: async (answer) => chosen().refused?.(answer) ?? 'give_up',
    settled: async () => void (await Promise.all([login.settled?.(), secret.settled?.()])),
    missing: () => chosen().missing(),
  }
}

function unusable(origin: string, problem: MissingCredential): OpenedCredential {
  return {
    origin,
    proof: () => Promise.reject(credentialProblem(problem)),
    missing: () => problem,
  }
}
