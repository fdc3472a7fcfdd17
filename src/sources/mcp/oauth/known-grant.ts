import { trackSecrets } from '../../../credentials/track-secrets.js'
import type { LiveSecrets } from '../../../redaction/live-secrets.js'
import type { McpOAuthSettings } from '../server-settings.js'
import { isOfThisClient } from './choose-client.js'
import type { Grant, GrantKey, TokenStorage } from '../../../credentials/oauth/token-storage.js'

/** How old the cached grant may be: a login in another process counts after that. */
const LOOK_AGAIN_MS = 1000

export interface KnownGrantOptions {
  readonly key: GrantKey
  readonly settings: McpOAuthSettings
  readonly storage: TokenStorage
  readonly secrets?: LiveSecrets | undefined
  now(): number
}

/** Caches the stored grant of one user and one address. */
export interface KnownGrant {
  /** The cached grant. */
  look(): Promise<Grant | undefined>
  /** The stored grant, read again. */
  lookAgain(): Promise<Grant | undefined>
  save(grant: Grant): Promise<void>
  /** Caches a grant that is already stored. */
  adopt(grant: Grant | undefined): void
}

export function createKnownGrant({ key, settings, storage, secrets, now }: KnownGrantOptions): KnownGrant {
  let known: { grant: Grant | undefined; readAtMs: number } | undefined
  const track = secrets && trackSecrets(secrets)

  function adopt(grant: Grant | undefined): void {
    track?.(secretsOf(grant))
    known = { grant, readAtMs: now() }
  }

  async function lookAgain(): Promise<Grant | undefined> {
    const grant = await storage.load(key)
    const isOurs = grant?.url === key.url && grant.user === key.user && isOfThisClient(grant, settings)
    adopt(isOurs ? grant : undefined)
    return known?.grant
  }

  return {
    look: async () => (known && now() - known.readAtMs < LOOK_AGAIN_MS ? known.grant : lookAgain()),
    lookAgain,
    async save(grant) {
      await storage.exclusively(key, () => storage.save(grant))
      adopt(grant)
    },
    adopt,
  }
}

function secretsOf(grant: Grant | undefined): string[] {
  const all = [grant?.accessToken, grant?.refreshToken, grant?.client.secret]
  return all.filter((secret) => secret !== undefined)
}
