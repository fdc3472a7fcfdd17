import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isRefusal, type Refusal } from './auth/authenticate.js'
import type { Caller } from './caller.js'
import { createRateLimiter } from './rate-limiter.js'
import type { ServerSettings } from './server-options.js'

/** Somebody who is in, and what their sessions are bound to. */
export interface Identity {
  readonly caller: Caller
  /** A digest of the token, or the name of who needs none. */
  readonly key: string
  /** The key and the surface: a session of one is no session of another. */
  readonly binding: string
}

export interface Admission {
  /** Who has shown the same token a moment ago, without asking again. */
  known(request: IncomingMessage, now: number): Identity | undefined
  admit(request: IncomingMessage, surface: string | undefined, now: number): Promise<Identity | Refusal>
  /** How long an address from which too many wrong tokens came has to wait before another is looked at. */
  waitSeconds(request: IncomingMessage, now: number): number
  sweep(now: number): void
}

/** How long a checked token is believed; a token that is taken back works this much longer at most. */
const BELIEVED_MS = 2000
/** For this long a token that was right is looked at again, however many wrong ones come from the same address. */
const REMEMBERED_MS = 60 * 60_000
const MAX_BELIEVED = 1000

export function createAdmission({
  authenticate,
  wrongTokensPerMinute,
}: Pick<ServerSettings, 'authenticate' | 'wrongTokensPerMinute'>): Admission {
  // Where nobody is asked for anything, the path alone says who it is.
  const keyOf = authenticate === undefined ? ({ url }: IncomingMessage) => url : keyOfToken
  const believed = new Map<string, { identity: Identity; until: number }>()
  const wrong = createRateLimiter()
  /** Tokens that were right, and until when that is remembered. */
  const right = new Map<string | undefined, number>()
  return {
    known(request, now) {
      const key = keyOf(request)
      const entry = key === undefined ? undefined : believed.get(key)
      return entry !== undefined && entry.until > now ? entry.identity : undefined
    },
    async admit(request, surface, now) {
      const caller =
        authenticate === undefined
          ? { actor: 'local' }
          : await authenticate({ headers: request.headers, url: request.url ?? '/' })
      if (isRefusal(caller)) {
        // Who shows nothing only asks what is wanted here.
        if (caller.status === 401 && caller.isGuess !== false && request.headers.authorization !== undefined)
          wrong.take(addressOf(request), wrongTokensPerMinute, now)
        return caller
      }
      if (surface !== undefined && caller.surface !== undefined && caller.surface !== surface)
        return wrongSurface
      const { authorization } = request.headers
      if (right.size < MAX_BELIEVED || right.has(authorization)) right.set(authorization, now + REMEMBERED_MS)
      const identity = identityOf(surface === undefined ? caller : { ...caller, surface })
      const key = keyOf(request)
      if (key !== undefined && (believed.size < MAX_BELIEVED || believed.has(key)))
        believed.set(key, { identity, until: now + BELIEVED_MS })
      return identity
    },
    waitSeconds(request, now) {
      const { authorization } = request.headers
      if (authenticate === undefined || authorization === undefined || right.has(authorization)) return 0
      return wrong.wait(addressOf(request), wrongTokensPerMinute, now)
    },
    sweep(now) {
      wrong.sweep(now)
      for (const [key, entry] of believed) if (entry.until <= now) believed.delete(key)
      for (const [token, until] of right) if (until <= now) right.delete(token)
    },
  }
}

const wrongSurface: Refusal = {
  status: 403,
  wwwAuthenticate: 'Bearer error="insufficient_scope"',
  message: 'This token is for another surface. Use the address that was printed with it.',
}

/** Only what stands in Authorization is remembered: any other header may differ from one request to the next. */
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
