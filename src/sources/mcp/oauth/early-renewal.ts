import { loadLibrary } from './library.js'
import type { LoginFlow } from './login-flow.js'
import type { Grant } from './token-storage.js'

/** Renewed this long before its end: a request takes time to arrive. */
const EARLY_MS = 30_000
/** An authority that could not renew is left alone for so long: nobody waits for it with every call. */
const PAUSE_MS = 10_000
/** How long a request whose token is over waits for a new one before it goes with the old one, and is refused. */
const WAIT_MS = 10_000

/** Renews tokens before their end rather than after a refusal. What goes wrong here is said when the server refuses. */
export interface EarlyRenewal {
  /** What to use now. As long as a token is good nobody waits for the next one. */
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
      return (await inTime(renewing, waitMs)) ?? grant
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

async function inTime<Value>(promise: Promise<Value>, waitMs: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, waitMs, undefined)))
  try {
    return await Promise.race([promise, patience])
  } finally {
    clearTimeout(timer)
  }
}
