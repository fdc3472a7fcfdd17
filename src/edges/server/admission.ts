import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isRefusal, type Refusal } from './auth/authenticate.js'
import type { Caller } from './caller.js'
import { createRateLimiter } from './rate-limiter.js'
import type { ServerSettings } from './server-options.js'

/** An authenticated caller, and the key to which its sessions are bound. */
export interface Identity {
  readonly caller: Caller
  /** A digest of the token, or the actor where no token is needed. */
  readonly key: string
  /** Key, actor, tenant and surface: a session belongs to exactly these. */
  readonly binding: string
}

export interface Admission {
  /** The caller that sent the same token a moment ago, without checking it again. */
  known(request: IncomingMessage, now: number): Identity | undefined
  admit(request: IncomingMessage, surface: string | undefined, now: number): Promise<Identity | Refusal>
  /** How long an address that sent too many wrong tokens has to wait before another is checked. */
  waitSeconds(request: IncomingMessage, now: number): number
  sweep(now: number): void
}

/** How long a checked token is trusted; a revoked token works this much longer at most. */
const TRUSTED_MS = 2000
/** For this long a valid token is still checked, however many wrong ones come from the same address. */
const REMEMBERED_MS = 60 * 60_000
const MAX_TRUSTED = 1000

export function createAdmission({
  authenticate,
  wrongTokensPerMinute,
}: Pick<ServerSettings, 'authenticate' | 'wrongTokensPerMinute'>): Admission {
  // Without authentication, the URL alone identifies the caller and its surface.
  const keyOf = authenticate === undefined ? ({ url }: IncomingMessage) => url : keyOfToken
  const trusted = new Map<string, { identity: Identity; until: number }>()
  const wrong = createRateLimiter()
  /** Valid tokens, and until when they are remembered. */
  const right = new Map<string | undefined, number>()
  return {
    known(request, now) {
      const key = keyOf(request)
      const entry = key === undefined ? undefined : trusted.get(key)
      return entry !== undefined && entry.until > now ? entry.identity : undefined
    },
    async admit(request, surface, now) {
      const caller =
        authenticate === undefined
          ? { actor: 'local' }
          : await authenticate({ headers: request.headers, url: request.url ?? '/' })
      if (isRefusal(caller)) {
        // A request without a token is no guess: it asks which authentication is needed.
        if (caller.status === 401 && caller.isGuess !== false && request.headers.authorization !== undefined)
          wrong.take(addressOf(request), wrongTokensPerMinute, now)
        return caller
      }
      if (surface !== undefined && caller.surface !== undefined && caller.surface !== surface)
        return wrongSurface
      const { authorization } = request.headers
      if (right.size < MAX_TRUSTED || right.has(authorization)) right.set(authorization, now + REMEMBERED_MS)
      const identity = identityOf(surface === undefined ? caller : { ...caller, surface })
      const key = keyOf(request)
      if (key !== undefined && (trusted.size < MAX_TRUSTED || trusted.has(key)))
        trusted.set(key, { identity, until: now + TRUSTED_MS })
      return identity
    },
    waitSeconds(request, now) {
      const { authorization } = request.headers
      if (authenticate === undefined || authorization === undefined || right.has(authorization)) return 0
      return wrong.wait(addressOf(request), wrongTokensPerMinute, now)
    },
    sweep(now) {
      wrong.sweep(now)
      for (const [key, entry] of trusted) if (entry.until <= now) trusted.delete(key)
      for (const [token, until] of right) if (until <= now) right.delete(token)
    },
  }
}

const wrongSurface: Refusal = {
  status: 403,
  wwwAuthenticate: 'Bearer error="insufficient_scope"',
  message: 'This token is for another surface. Use the address that was printed with it.',
}

/** Only the Authorization header is used: other headers may differ between requests. */
function keyOfToken({ headers, url }: IncomingMessage): string | undefined {
  return headers.authorization === undefined ? undefined : `${url}\n${headers.authorization}`
}

function addressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? ''
}

function identityOf(caller: Caller): Identity {
  const { token, actor, tenant, surface } = caller
  const key = token === undefined ? `=${actor}` : createHash('sha256').update(token).digest('base64url')
  return { caller, key, binding: JSON.stringify([key, actor, tenant, surface]) }
}

/** Counts the requests of each caller that are in flight. */
export interface InFlight {
  /** False where the caller has reached the limit; then nothing is counted. */
  begin(key: string): boolean
  end(key: string): void
}

export function createInFlight(max: number): InFlight {
  const counts = new Map<string, number>()
  return {
    begin(key) {
      const count = counts.get(key) ?? 0
      if (count >= max) return false
      counts.set(key, count + 1)
      return true
    },
    end(key) {
      const count = counts.get(key)! - 1
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}
