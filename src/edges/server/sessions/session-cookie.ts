import type { IncomingMessage } from 'node:http'

/** Browsers send a cookie to every port of a host: two servers on one machine must not replace each other's. */
function nameFor({ socket }: IncomingMessage): string {
  return `toolcrib_session_${socket.localPort}`
}

/** 256 bits in base64url. */
const ID = /^[\w-]{43}$/

/** The id in the session cookie of a request; undefined where there is none, or more than one. */
export function sessionIdOf(request: IncomingMessage): string | undefined {
  const found = cookieOf(request, nameFor(request))
  return found !== undefined && ID.test(found) ? found : undefined
}

/** Of two cookies with one name, which other servers on this host can set, neither counts. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=')
    return key.trim() === name ? [value.join('=').trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

export interface CookieOptions {
  readonly path: string
  readonly sameSite: 'Strict' | 'Lax'
  readonly isSecure: boolean
  /** Absent: until the browser closes. */
  readonly maxAgeSeconds?: number | undefined
}

/** The text of `Set-Cookie`. No script can read the cookie. */
export function toCookie(name: string, value: string, options: CookieOptions): string {
  const { path, sameSite, isSecure, maxAgeSeconds } = options
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=${sameSite}${age}${isSecure ? '; Secure' : ''}`
}

export function sessionCookie(
  request: IncomingMessage,
  id: string,
  { isSecure, maxAgeSeconds }: Pick<CookieOptions, 'isSecure' | 'maxAgeSeconds'>,
): string {
  return toCookie(nameFor(request), id, { path: '/', sameSite: 'Strict', isSecure, maxAgeSeconds })
}
