import { trackSecrets } from '../../../credentials/track-secrets.js'
import type { LiveSecrets } from '../../../redaction/live-secrets.js'
import type { McpOAuthSettings } from '../server-settings.js'
import { isOfThisClient } from './choose-client.js'
import type { Grant, GrantPlace, TokenStorage } from './token-storage.js'

/** How old what is known of the storage may be: a login in another process counts from then on. */
const LOOK_AGAIN_MS = 1000

export interface KnownGrantOptions {
  readonly place: GrantPlace
  readonly settings: McpOAuthSettings
  readonly storage: TokenStorage
  readonly secrets?: LiveSecrets | undefined
  now(): number
}

/** What is kept for one user and one address, read no more often than it has to be. */
export interface KnownGrant {
  /** As it was a moment ago. */
  look(): Promise<Grant | undefined>
  /** As it is now. */
  lookAgain(): Promise<Grant | undefined>
  save(grant: Grant): Promise<void>
  /** Takes over what the storage holds already. */
  adopt(grant: Grant | undefined): void
}

export function createKnownGrant({ place, settings, storage, secrets, now }: KnownGrantOptions): KnownGrant {
  let known: { grant: Grant | undefined; readAtMs: number } | undefined
  const track = secrets && trackSecrets(secrets)

  function adopt(grant: Grant | undefined): void {
    track?.(secretsOf(grant))
    known = { grant, readAtMs: now() }
  }

  async function lookAgain(): Promise<Grant | undefined> {
    const grant = await storage.load(place)
    const isOurs = grant?.url === place.url && grant.user === place.user && isOfThisClient(grant, settings)
    adopt(isOurs ? grant : undefined)
    return known?.grant
  }

  return {
    look: async () => (known && now() - known.readAtMs < LOOK_AGAIN_MS ? known.grant : lookAgain()),
    lookAgain,
    async save(grant) {
      await storage.exclusively(place, () => storage.save(grant))
      adopt(grant)
    },
    adopt,
  }
}

function secretsOf(grant: Grant | undefined): string[] {
  const all = [grant?.accessToken, grant?.refreshToken, grant?.client.secret]
  return all.filter((secret) => secret !== undefined)
}
