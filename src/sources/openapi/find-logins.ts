import type { EntryLogin } from '../../credentials/oauth/login.js'
import { parseCredentialSettings } from '../../credentials/parse-credential-settings.js'
import { errorMessage } from '../../platform/text/error-message.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'
import type { ApiSettings } from './api-settings.js'
import type { CompiledDocument } from './compiled.js'
import { documentOrigin } from './document/document-origin.js'
import { loadApi } from './load-api.js'
import { resolveServer } from './operations/resolve-server.js'
import { selectOperations } from './operations/select-operations.js'

export interface FindLoginsOptions {
  readonly api: string
  readonly settings: ApiSettings
  /** The base of a relative path of the document. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly live: LiveSecrets
}

const TIMEOUT_MS = 60_000

/** The OAuth schemes that the operations of an API need, each with its scopes: one for each scheme and origin. */
export async function findLogins(options: FindLoginsOptions): Promise<EntryLogin[]> {
  const { api, settings, folder, env, live } = options
  const origin = documentOrigin(settings.document, { folder })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const loading = loadApi({ origin, cacheFolder: undefined, signal })
  const { compiled } = await loading.catch((error: unknown) => {
    throw new Error(`The document of the API "${api}" cannot be used: ${errorMessage(error)}.`)
  })
  return usesOf(compiled, { settings, address: origin.address }).flatMap((use) => {
    const given = settings.credentials?.[use.scheme]
    const parsed = given === undefined ? undefined : parseCredentialSettings(given, use.scheme)
    const client = parsed?.ok && parsed.settings.kind === 'oauth' ? parsed.settings : undefined
    const defined = compiled.securitySchemes[use.scheme]
    // Other settings say that no login is wanted.
    if (!client && (given !== undefined || defined?.type !== 'oauth2')) return []
    const flows = defined?.type === 'oauth2' ? defined.flows : {}
    const context = { origin: use.origin, owner: { entry: api, name: use.scheme }, env, live }
    return [{ settings: client, context: { ...context, oauth: { ...flows, scopes: [...use.scopes] } } }]
  })
}

interface SchemeUse {
  readonly scheme: string
  readonly origin: string
  readonly scopes: Set<string>
}

function usesOf(
  { operations }: CompiledDocument,
  { settings, address }: { settings: ApiSettings; address: string },
): SchemeUse[] {
  const uses = new Map<string, SchemeUse>()
  for (const { servers, security } of selectOperations(operations, settings)) {
    const server = resolveServer(servers, { settings, address })
    if (!server.ok) continue
    const { origin } = server.url
    for (const [scheme, scopes] of security.flatMap((alternative) => Object.entries(alternative))) {
      const key = JSON.stringify([scheme, origin])
      let use = uses.get(key)
      if (!use) uses.set(key, (use = { scheme, origin, scopes: new Set() }))
      for (const scope of scopes) use.scopes.add(scope)
    }
  }
  return [...uses.values()]
}
