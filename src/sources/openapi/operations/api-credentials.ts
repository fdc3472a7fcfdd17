import { credentialProblem } from '../../../credentials/credential-problem.js'
import type { CredentialSettings } from '../../../credentials/credential-settings.js'
import {
  openCredential,
  type CredentialPosition,
  type OpenedCredential,
} from '../../../credentials/open-credential.js'
import { parseCredentialSettings } from '../../../credentials/parse-credential-settings.js'
import type { LiveSecrets } from '../../../redaction/live-secrets.js'
import type { ApiSettings } from '../api-settings.js'
import type { CompiledDocument, SecurityScheme } from '../compiled.js'

export interface ApiCredentialsOptions {
  readonly api: string
  readonly settings: ApiSettings['credentials']
  readonly env: NodeJS.ProcessEnv
  readonly live: LiveSecrets
}

/** Where a scheme is used. */
export interface SchemeUse {
  readonly document: CompiledDocument
  readonly origin: string
  readonly scopes: readonly string[]
}

/** The credentials of an API, one for each scheme and origin. */
export interface ApiCredentials {
  open(scheme: string, use: SchemeUse): OpenedCredential
  /** Resolves when no renewal is running. */
  settled(): Promise<void>
}

const BEARER: CredentialPosition = { in: 'header', name: 'authorization', scheme: 'Bearer' }

export function createApiCredentials({ api, settings, env, live }: ApiCredentialsOptions): ApiCredentials {
  const opened = new Map<string, OpenedCredential>()

  function open(scheme: string, { document, origin, scopes }: SchemeUse): OpenedCredential {
    const { securitySchemes } = document
    const defined = Object.hasOwn(securitySchemes, scheme) ? securitySchemes[scheme] : undefined
    const given = settingsOf(settings, scheme)
    const sentAs = schemePosition(defined) ?? (given && BEARER)
    const whyNot = defined?.type === 'unsupported' ? 'not supported' : 'not defined in the document'
    if (!sentAs)
      return unusable(
        origin,
        `"${api}" needs the security scheme "${scheme}", which is ${whyNot}; write a credential for it into the config, or call other operations.`,
      )
    const oauth = defined?.type === 'oauth2' ? { ...defined.flows, scopes } : undefined
    const owner = { entry: api, name: scheme }
    return openCredential(given, { origin, sentAs, env, live, owner, ...(oauth && { oauth }) })
  }

  return {
    open(scheme, use) {
      const key = JSON.stringify([scheme, use.origin, use.scopes])
      let credential = opened.get(key)
      if (!credential) opened.set(key, (credential = open(scheme, use)))
      return credential
    },
    async settled() {
      await Promise.all([...opened.values()].map((credential) => credential.settled?.()))
    },
  }
}

function settingsOf(all: ApiSettings['credentials'], scheme: string): CredentialSettings | undefined {
  if (!all || !Object.hasOwn(all, scheme)) return undefined
  const parsed = parseCredentialSettings(all[scheme], `credentials.${scheme}`)
  return parsed.ok ? parsed.settings : undefined
}

function unusable(origin: string, message: string): OpenedCredential {
  const problem = { message, code: 'toolcrib.setup_required' as const }
  return { origin, proof: () => Promise.reject(credentialProblem(problem)), missing: () => problem }
}

/** Where the secret of a security scheme goes; undefined where the scheme cannot be used here. */
function schemePosition(scheme: SecurityScheme | undefined): CredentialPosition | undefined {
  switch (scheme?.type) {
    case 'apiKey':
      return { in: scheme.in, name: scheme.name }
    case 'http':
      return scheme.scheme === 'basic'
        ? { in: 'basic' }
        : { in: 'header', name: 'authorization', scheme: capitalized(scheme.scheme) }
    case 'oauth2':
    case 'openIdConnect':
      return { in: 'header', name: 'authorization', scheme: 'Bearer' }
    case 'unsupported':
    case 'not_defined':
    case undefined:
      return undefined
  }
}

/** Servers compare schemes without regard to case; people read `Bearer`. */
function capitalized(scheme: string): string {
  return scheme.charAt(0).toUpperCase() + scheme.slice(1)
}
