import {
  openCredential,
  type CredentialPosition,
  type OpenedCredential,
} from '../../../credentials/open-credential.js'
import { BEARER } from '../../../credentials/token-credential.js'
import { canonicalJson } from '../../../platform/json/canonical-json.js'
import type { TransportCredentials } from '../compiled.js'
import type { TransportEnvironment } from './transport.js'

/** The credentials of tools that call over HTTP: one for each origin and settings, shared by all tools that have it. */
export interface TransportCredentialStore {
  /** Undefined: the scheme is none. */
  open(credentials: TransportCredentials, origin: string): OpenedCredential | undefined
  /** Resolves when no renewal is running. */
  settled(): Promise<void>
}

export function createTransportCredentials({
  entry,
  env,
  live,
  now,
}: TransportEnvironment): TransportCredentialStore {
  const opened = new Map<string, OpenedCredential>()
  return {
    open({ scheme, settings }, origin) {
      if (scheme === 'none') return undefined
      const key = canonicalJson([origin, scheme, settings])
      let credential = opened.get(key)
      if (!credential) {
        const owner = { entry, name: scheme }
        credential = openCredential(settings, { origin, sentAs: positionOf(settings), env, live, now, owner })
        opened.set(key, credential)
      }
      return credential
    },
    async settled() {
      await Promise.all([...opened.values()].map((credential) => credential.settled?.()))
    },
  }
}

/** AML sends an API key in a header that the file names, and everything else as a bearer token. */
function positionOf(settings: TransportCredentials['settings']): CredentialPosition {
  return settings.kind === 'secret' && settings.scheme === 'api-key' && settings.header !== undefined
    ? { in: 'header', name: settings.header }
    : BEARER
}
