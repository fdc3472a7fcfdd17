import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Role } from '../../platform/config/roles.js'
import { isRefusal, type Authenticate, type Refusal } from './auth/authenticate.js'
import { refuse } from './auth/refuse.js'
import type { Caller } from './caller.js'
import type { GuessLimit } from './guess-limit.js'
import type { Revocations } from './revocations.js'

/** An authenticated caller, and the key to which its sessions are bound. */
export interface Identity {
  readonly caller: Caller
  /** A digest of the token, or the actor where no token is needed. */
  readonly key: string
  /** Key, actor, tenant and surface: a session belongs to exactly these. */
  readonly binding: string
  /** Aborted when its credentials are revoked: open streams end then. */
  readonly signal?: AbortSignal | undefined
  /** The session of a browser; absent where a token was sent. */
  readonly session?: SessionFacts | undefined
}

/** What a browser may know of its session. */
export interface SessionFacts {
  /** Sent back in a header with each request that changes something. */
  readonly csrfToken: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** Calls back when somebody logs out of it. Returns a function that stops it. */
  onEnd(ended: () => void): () => void
}

/** The caller of a browser's session, or why the request is refused. `undefined`: it has no session cookie. */
export type IdentifySession = (
  request: IncomingMessage,
  now: number,
) => Promise<{ readonly caller: Caller; readonly session: SessionFacts } | Refusal | undefined>

export interface Admission {
  /** The caller that sent the same token a moment ago, without checking it again. */
  known(request: IncomingMessage, now: number): Identity | undefined
  admit(request: IncomingMessage, needed: Needed, now: number): Promise<Identity | Refusal>
  /** How long an address that sent too many wrong tokens has to wait before another is checked. */
  waitSeconds(request: IncomingMessage, now: number): number
  /** Checks every token again: one may have ended. */
  forget(): void
  sweep(now: number): void
}

/** What a request is for. */
export interface Needed {
  readonly surface?: string | undefined
  /** The caller needs one of these. Absent: any. */
  readonly roles?: readonly Role[] | undefined
}

export interface AdmissionParts {
  /** With `undefined` every caller is one local user. */
  readonly authenticate: Authenticate | undefined
  readonly guesses: GuessLimit
  readonly revocations: Revocations
  /** Absent: cookies mean nothing. */
  readonly identifySession?: IdentifySession | undefined
}

/** How long a checked token is trusted, unless one is revoked. */
const TRUSTED_MS = 2000
/** For this long a valid token is still checked, however many wrong ones come from the same address. */
const REMEMBERED_MS = 60 * 60_000
const MAX_TRUSTED = 1000

const anonymous: Caller = { actor: 'local', roles: ['caller'] }

export function createAdmission(parts: AdmissionParts): Admission {
  const { authenticate, guesses, revocations, identifySession } = parts
  // Without authentication, the URL alone identifies the caller and its surface.
  const keyOf = authenticate === undefined ? ({ url }: IncomingMessage) => url : keyOfToken
  const trusted = new Map<string, { identity: Identity; until: number }>()
  /** Valid tokens, and until when they are remembered. */
  const right = new Map<string | undefined, number>()
  return {
    known(request, now) {
      const key = keyOf(request)
      const entry = key === undefined ? undefined : trusted.get(key)
      return entry !== undefined && entry.until > now ? entry.identity : undefined
    },
    async admit(request, { surface, roles }, now) {
      const { authorization } = request.headers
      const found = authorization === undefined ? await identifySession?.(request, now) : undefined
      if (found && 'session' in found)
        return { ...identityOf(found.caller, revocations), session: found.session }
      const caller =
        found ??
        (authenticate === undefined
          ? anonymous
          : await authenticate({ headers: request.headers, url: request.url ?? '/' }))
      if (isRefusal(caller)) {
        // A request without a token is no guess: it asks which authentication is needed.
        if (caller.status === 401 && caller.isGuess !== false && authorization !== undefined)
          guesses.note(request, now)
        return caller
      }
      if (roles !== undefined && !roles.some((role) => caller.roles.includes(role))) return refuse('role')
      if (surface !== undefined && caller.surface !== undefined && caller.surface !== surface)
        return wrongSurface
      if (right.size < MAX_TRUSTED || right.has(authorization)) right.set(authorization, now + REMEMBERED_MS)
      const identity = identityOf(surface === undefined ? caller : { ...caller, surface }, revocations)
      const key = keyOf(request)
      if (key !== undefined && (trusted.size < MAX_TRUSTED || trusted.has(key)))
        trusted.set(key, { identity, until: Math.min(now + TRUSTED_MS, caller.expiresAt ?? Infinity) })
      return identity
    },
    waitSeconds(request, now) {
      const { authorization } = request.headers
      if (authenticate === undefined || authorization === undefined || right.has(authorization)) return 0
      return guesses.wait(request, now)
    },
    forget: () => trusted.clear(),
    sweep(now) {
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

function identityOf(caller: Caller, { signalOf }: Revocations): Identity {
  const { token, actor, tenant, surface } = caller
  const key = token === undefined ? `=${actor}` : createHash('sha256').update(token).digest('base64url')
  return { caller, key, binding: JSON.stringify([key, actor, tenant, surface]), signal: signalOf(caller) }
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
