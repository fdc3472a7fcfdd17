import { withTimeLimit } from '../../../platform/async/with-time-limit.js'
import { loadLibrary } from './library.js'
import type { LoginFlow } from './login-flow.js'
import type { Grant } from '../../../credentials/oauth/token-storage.js'

/** Tokens are renewed this long before they expire, because a request takes time to arrive. */
const EARLY_MS = 30_000
/** Pause after a failed renewal, so that not every call waits for the authorization server. */
const PAUSE_MS = 10_000
/** How long a request with an expired token waits for a new one before it is sent with the old one, and refused. */
const WAIT_MS = 10_000

/** Renews tokens before they expire, not after a refusal. A failure is reported when the server refuses the token. */
export interface EarlyRenewal {
  /** The grant to use now. While its token is valid, no request waits for the next one. */
  freshest(grant: Grant): Promise<Grant>
  settled(): Promise<void>
}

export function createEarlyRenewal(
  flow: LoginFlow,
  { now, waitMs = WAIT_MS }: { now: () => number; waitMs?: number | undefined },
): EarlyRenewal {
  let underWay: Promise<Grant | undefined> | undefined
  let failedAtMs: number | undefined

  async function attempt(grant: Grant): Promise<Grant | undefined> {
    try {
      const library = await loadLibrary()
      const authority = await flow.authority(library)
      if (authority.issuer !== grant.issuer) return undefined
      const renewed = await flow.renew(library, authority, grant.accessToken)
      failedAtMs = undefined
      return renewed
    } catch {
      failedAtMs = now()
      return undefined
    }
  }

  function begin(grant: Grant): Promise<Grant | undefined> | undefined {
    if (failedAtMs !== undefined && now() - failedAtMs < PAUSE_MS) return underWay
    underWay ??= attempt(grant).finally(() => (underWay = undefined))
    return underWay
  }

  return {
    async freshest(grant) {
      if (!isNearlyOver(grant, now())) return grant
      const renewing = begin(grant)
      if (!renewing || now() < grant.expiresAtMs!) return grant
      return (await withTimeLimit(renewing, waitMs)) ?? grant
    },
    async settled() {
      await underWay
    },
  }
}

function isNearlyOver({ expiresAtMs, issuedAtMs, refreshToken }: Grant, nowMs: number): boolean {
  if (expiresAtMs === undefined || refreshToken === undefined) return false
  return nowMs >= expiresAtMs - Math.min(EARLY_MS, (expiresAtMs - issuedAtMs) / 10)
}
