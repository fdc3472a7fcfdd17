import type { IncomingMessage, ServerResponse } from 'node:http'
import { oidcPersonOf, type OidcSettings } from '../../../host/identities/oidc-person.js'
import type { GuessLimit } from '../guess-limit.js'
import type { HttpServer } from '../http-server.js'
import type { PublicHandler } from '../request-handler.js'
import { sendEmpty, sendJsonText } from '../respond.js'
import type { Logins } from '../sessions/logins.js'
import { ownOrigin } from '../sessions/own-origin.js'
import { cookieOf, toCookie } from '../sessions/session-cookie.js'
import type { OidcClient, PendingLogin } from './oidc-client.js'

const OIDC_PATH = '/auth/oidc'
const CALLBACK = `${OIDC_PATH}/callback`
/** Binds a login to the browser that started it. It is sent when the provider sends the browser back. */
const COOKIE = 'toolcrib_login'
const LOGIN_SECONDS = 10 * 60

export interface OidcHandlerOptions {
  readonly client: OidcClient
  readonly settings: OidcSettings
  readonly logins: Logins
  /** Failed logins count as wrong tokens: each of them is a request to the provider. */
  readonly guesses: GuessLimit
  readonly publicUrl: string | undefined
  report(problem: unknown): void
}

export function mountOidc(server: HttpServer, options: OidcHandlerOptions): void {
  server.mount(OIDC_PATH, createOidcHandler(options))
}

/** `/auth/oidc/login` sends a browser to the OpenID provider, which sends it back to `/auth/oidc/callback`. */
function createOidcHandler(options: OidcHandlerOptions): PublicHandler {
  const refuse: PublicHandler['refuse'] = (response, { status, message, headers }) =>
    sendJsonText(response, status, JSON.stringify({ error: message }), headers)
  return {
    refuse,
    handlePublic({ request, response, path }) {
      const answer = path === `${OIDC_PATH}/login` ? start : path === CALLBACK ? finish : undefined
      if (!answer) return refuse(response, { status: 404, message: 'Nothing is served at this path.' })
      if (request.method !== 'GET') return sendEmpty(response, 405, { allow: 'GET' })
      answer(options, request, response).catch((cause: unknown) =>
        toLoginPage(options, { request, response }, { problem: 'unavailable', cause }),
      )
    },
  }
}

async function start(
  options: OidcHandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url, pending } = await options.client.start(redirectUrlOf(options, request))
  const kept: KeptLogin = { ...pending, returnTo: ownPath(queryOf(request).get('return')) }
  redirect(
    response,
    url.href,
    loginCookie(options, request, Buffer.from(JSON.stringify(kept)).toString('base64url')),
  )
}

async function finish(
  options: OidcHandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { client, settings, logins, guesses } = options
  const failed = (problem: LoginProblem, why?: string): void =>
    toLoginPage(options, { request, response }, { problem, cause: why && new Error(why) })
  const kept = keptLogin(request)
  if (!kept) return failed('not_started')
  const now = Date.now()
  if (guesses.wait(request, now) > 0) return failed('unavailable')
  const redirectUrl = redirectUrlOf(options, request)
  const result = await client.finish(queryOf(request), { pending: kept, redirectUrl })
  if ('failed' in result) {
    guesses.note(request, now)
    return failed('failed', result.failed)
  }
  const person = oidcPersonOf(settings, result.claims)
  if ('refused' in person) return failed('no_access', `A login was refused: ${person.refused}`)
  const opened = await logins.openFor(request, person)
  if (!opened) return failed('no_access')
  redirect(response, ownPath(kept.returnTo), opened.setCookie, loginCookie(options, request, undefined))
}

interface KeptLogin extends PendingLogin {
  readonly returnTo: string
}

function keptLogin(request: IncomingMessage): KeptLogin | undefined {
  try {
    const text = Buffer.from(cookieOf(request, COOKIE) ?? '', 'base64url').toString('utf8')
    const { state, nonce, verifier, returnTo } = JSON.parse(text) as Record<string, unknown>
    const isWhole = [state, nonce, verifier].every((each) => typeof each === 'string' && each.length >= 32)
    return isWhole ? ({ state, nonce, verifier, returnTo: String(returnTo) } as KeptLogin) : undefined
  } catch {
    return undefined
  }
}

/** Only paths of this server: a login must not lead to a page of somebody else. */
export function ownPath(given: string | null): string {
  // Browsers read "\" as "/", and drop tabs and line breaks: "/\example.com" would be another host.
  const isOwn = given !== null && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,500}$/.test(given)
  return isOwn ? given : '/'
}

function redirectUrlOf({ settings, publicUrl }: OidcHandlerOptions, request: IncomingMessage): string {
  return settings.redirectUrl ?? `${ownOrigin(request, publicUrl).origin}${CALLBACK}`
}

/** `undefined` removes it. */
function loginCookie(
  { publicUrl }: OidcHandlerOptions,
  request: IncomingMessage,
  value: string | undefined,
): string {
  const { isSecure } = ownOrigin(request, publicUrl)
  const maxAgeSeconds = value === undefined ? 0 : LOGIN_SECONDS
  // Lax: the browser comes back from a page of the provider.
  return toCookie(COOKIE, value ?? '', { path: OIDC_PATH, sameSite: 'Lax', isSecure, maxAgeSeconds })
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}

/** Why a login failed, for the login page: a code, so that a link cannot put words on the page. The log has the rest. */
export const loginProblems = ['not_started', 'failed', 'no_access', 'unavailable'] as const
type LoginProblem = (typeof loginProblems)[number]

function toLoginPage(
  options: OidcHandlerOptions,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { problem, cause }: { problem: LoginProblem; cause?: unknown },
): void {
  if (cause !== undefined) options.report(cause)
  redirect(response, `/login?problem=${problem}`, loginCookie(options, request, undefined))
}

function redirect(response: ServerResponse, location: string, ...cookies: string[]): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(303, {
    location,
    'set-cookie': cookies,
    'content-length': 0,
    'cache-control': 'no-store',
    // The address of the callback has the code.
    'referrer-policy': 'no-referrer',
  })
  response.end()
}
