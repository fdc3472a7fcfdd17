import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  SESSION_SECONDS,
  sessionExpiry,
  type BrowserSession,
  type BrowserSessions,
  type SessionSubject,
} from '../../../host/identities/browser-sessions.js'
import { digestOf } from '../../../host/identities/named-tokens.js'
import { oidcCallerOf, type OidcPerson, type OidcSettings } from '../../../host/identities/oidc-person.js'
import type { IdentifySession, SessionFacts } from '../admission.js'
import { challenge } from '../auth/challenge.js'
import type { Refusal } from '../auth/authenticate.js'
import type { FindToken } from '../auth/token-table.js'
import type { Caller } from '../caller.js'
import type { GuessLimit } from '../guess-limit.js'
import { createRateLimiter } from '../rate-limiter.js'
import type { HttpRefusal } from '../request-handler.js'
import type { LoginChoices } from '../server-options.js'
import { foreignPage, ownOrigin } from './own-origin.js'
import { sessionCookie, sessionIdOf } from './session-cookie.js'

/** What somebody logs in with. */
export type LoginProof = { readonly loginCode: string } | { readonly token: string }

/** A session that was just opened, and the `Set-Cookie` that gives it to the browser. */
export interface OpenedSession {
  readonly caller: Caller
  readonly session: SessionFacts
  readonly setCookie: string
}

/** Logs people in and out. The routes of the API and the OpenID login use this. */
export interface Logins {
  readonly choices: LoginChoices
  /** The code in the link that the server prints. It is valid while the process runs; absent where nobody owns it. */
  readonly loginCode: string | undefined
  login(request: IncomingMessage, proof: LoginProof): Promise<OpenedSession | HttpRefusal>
  /** Opens the session of a person who logged in at the OpenID provider. */
  openFor(request: IncomingMessage, person: OidcPerson): Promise<OpenedSession | undefined>
  /** Ends the session of a request, if it has one. Returns the `Set-Cookie` that removes the cookie. */
  logout(request: IncomingMessage): Promise<string>
  readonly identifySession: IdentifySession
}

export interface LoginsOptions {
  readonly sessions: BrowserSessions
  readonly findToken: FindToken
  /** The digest of the owner's token as it is now: a login by code opens a session of the owner. */
  ownerDigest(): string | undefined
  readonly oidc: OidcSettings | undefined
  readonly guesses: GuessLimit
  readonly publicUrl: string | undefined
  readonly allowedOrigins: readonly string[]
  now(): number
}

/** Each session is stored for hours: no token may open them without limit. */
const LOGINS_PER_MINUTE = 60

export function createLogins(options: LoginsOptions): Logins {
  const { sessions, findToken, ownerDigest, oidc, guesses, publicUrl, allowedOrigins, now } = options
  const endings = createEndings()
  const opened = createRateLimiter()
  const loginCode = ownerDigest() === undefined ? undefined : randomBytes(24).toString('base64url')

  function callerOf(subject: SessionSubject): Caller | undefined {
    if (subject.kind === 'oidc') {
      const { issuer, clientId, subject: sub } = subject.person
      const caller = oidcCallerOf(oidc, subject.person)
      return caller && { ...caller, token: digestOf(JSON.stringify([issuer, clientId, sub])) }
    }
    const caller = findToken(subject.digest)
    return caller === 'ended' ? undefined : caller
  }

  async function end(id: string): Promise<void> {
    await sessions.end(id)
    endings.end(id)
  }

  async function open(request: IncomingMessage, subject: SessionSubject): Promise<OpenedSession | undefined> {
    const caller = callerOf(subject)
    if (!caller) return undefined
    // Never the id that the browser sent: somebody else may have put it there.
    const before = sessionIdOf(request)
    if (before !== undefined) await end(before)
    const { id, session } = await sessions.open(subject)
    const { isSecure } = ownOrigin(request, publicUrl)
    return {
      caller,
      session: factsOf(id, session, endings),
      setCookie: sessionCookie(request, id, { isSecure, maxAgeSeconds: SESSION_SECONDS }),
    }
  }

  /** The subject that a login proves; undefined for a wrong code or token. */
  function subjectOf(proof: LoginProof): Extract<SessionSubject, { kind: 'token' }> | undefined {
    if ('token' in proof) {
      const digest = digestOf(proof.token)
      return typeof findToken(digest) === 'object' ? { kind: 'token', digest } : undefined
    }
    const isRight = loginCode !== undefined && isSame(proof.loginCode, loginCode)
    const digest = isRight ? ownerDigest() : undefined
    return digest === undefined ? undefined : { kind: 'token', digest }
  }

  return {
    choices: { token: true, ...(oidc && { oidc: { name: oidc.name ?? new URL(oidc.issuer).host } }) },
    loginCode,
    async login(request, proof): Promise<OpenedSession | HttpRefusal> {
      const waitSeconds = guesses.wait(request, now())
      if (waitSeconds > 0) return tooMany('Too many wrong tokens came from this address.', waitSeconds)
      const foreign = foreignPage(request, ownOrigin(request, publicUrl), allowedOrigins)
      if (foreign !== undefined) return { status: 403, message: foreign }
      const subject = subjectOf(proof)
      const restSeconds = subject ? opened.take(subject.digest, LOGINS_PER_MINUTE, now()) : 0
      if (restSeconds > 0) return tooMany('This token has opened too many sessions.', restSeconds)
      const session = subject && (await open(request, subject))
      if (session) return session
      guesses.note(request, now())
      const message =
        'token' in proof
          ? 'This token opens no session; log in with one that "toolcrib tokens" lists.'
          : 'This link is no longer valid; open the one that the running server printed.'
      return { status: 401, message, headers: { 'www-authenticate': challenge() } }
    },
    openFor: (request, person) => open(request, { kind: 'oidc', person }),
    async logout(request) {
      const id = sessionIdOf(request)
      if (id !== undefined) await end(id)
      return sessionCookie(request, '', {
        isSecure: ownOrigin(request, publicUrl).isSecure,
        maxAgeSeconds: 0,
      })
    },
    async identifySession(request) {
      const id = sessionIdOf(request)
      if (id === undefined) return undefined
      const foreign = foreignPage(request, ownOrigin(request, publicUrl), allowedOrigins)
      if (foreign !== undefined) return refusal(403, foreign)
      const session = await sessions.find(id)
      const caller = session && callerOf(session.subject)
      if (!caller) return refusal(401, 'This session has ended; log in again.')
      const facts = factsOf(id, session, endings)
      if (!isSafe(request) && !isSame(headerOf(request), facts.csrfToken))
        return refusal(
          403,
          'A request that changes something needs the header x-csrf-token; GET /api/v1/session has its value.',
        )
      return { caller, session: facts }
    },
  }
}

function tooMany(message: string, waitSeconds: number): HttpRefusal {
  return { status: 429, message, headers: { 'retry-after': String(waitSeconds) } }
}

/** Who waits for the end of a session, such as its event streams. */
interface Endings {
  onEnd(id: string, ended: () => void): () => void
  end(id: string): void
}

function createEndings(): Endings {
  const waiting = new Map<string, Set<() => void>>()
  return {
    onEnd(id, ended) {
      const all = waiting.get(id) ?? new Set()
      waiting.set(id, all.add(ended))
      return () => {
        all.delete(ended)
        if (all.size === 0) waiting.delete(id)
      }
    },
    end: (id) => waiting.get(id)?.forEach((ended) => ended()),
  }
}

function factsOf(id: string, session: BrowserSession, { onEnd }: Endings): SessionFacts {
  // Follows from the id, which no script can read: whoever knows this value got it from this server.
  const csrfToken = createHash('sha256').update(`toolcrib csrf ${id}`).digest('base64url')
  return { csrfToken, expiresAt: sessionExpiry(session), onEnd: (ended) => onEnd(id, ended) }
}

function isSafe({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

function headerOf({ headers }: IncomingMessage): string {
  const value = headers['x-csrf-token']
  return typeof value === 'string' ? value : ''
}

/** Takes the same time wherever they differ. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function refusal(status: 401 | 403, message: string): Refusal {
  return { status, message, wwwAuthenticate: challenge(), isGuess: false }
}
