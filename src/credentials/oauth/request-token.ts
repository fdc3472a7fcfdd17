import { isObject } from '../../platform/json/is-object.js'
import type { Fetch } from './guarded-fetch.js'

/** How this program identifies itself to an authorization server. */
export interface OAuthClient {
  readonly id: string
  readonly secret?: string | undefined
  readonly auth?: 'basic' | 'post' | undefined
}

export interface TokenRequest {
  readonly url: URL
  readonly client: OAuthClient
  readonly params: Readonly<Record<string, string | undefined>>
  readonly fetchFn: Fetch
  readonly signal?: AbortSignal | undefined
}

export interface IssuedToken {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  readonly expiresInMs?: number | undefined
  readonly scope?: string | undefined
}

/** An answer that is no token. `code` is that of RFC 6749; nothing else of the answer is kept, since it may hold tokens. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly code: string | undefined

  constructor(code: unknown) {
    super('the authorization server gave no token')
    this.code = typeof code === 'string' ? code : undefined
  }
}

/** Asks the token endpoint of an authorization server. */
export async function requestToken(request: TokenRequest): Promise<IssuedToken> {
  const { access_token, refresh_token, expires_in, scope, token_type } = await postForm(request)
  const isUsable = typeof access_token === 'string' && /^[\x21-\x7e]{1,65536}$/.test(access_token)
  const isBearer = token_type === undefined || String(token_type).toLowerCase() === 'bearer'
  if (!isUsable || !isBearer) throw new TokenRefused(undefined)
  const seconds = Number(expires_in ?? Number.NaN)
  return {
    accessToken: access_token,
    ...(typeof refresh_token === 'string' && refresh_token !== '' && { refreshToken: refresh_token }),
    ...(seconds >= 0 && Number.isFinite(seconds) && { expiresInMs: seconds * 1000 }),
    ...(typeof scope === 'string' && { scope }),
  }
}

/** Posts a form with the client's identification. Returns the fields of the answer, or throws its error. */
export async function postForm({
  url,
  client,
  params,
  fetchFn,
  signal,
}: TokenRequest): Promise<Readonly<Record<string, unknown>>> {
  const { id, secret, auth = 'basic' } = client
  const isInHeader = secret !== undefined && auth === 'basic'
  const body = new URLSearchParams({
    ...Object.fromEntries(
      Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
    ...(!isInHeader && { client_id: id }),
    ...(secret !== undefined && !isInHeader && { client_secret: secret }),
  })
  const response = await fetchFn(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(isInHeader && { authorization: basicOf(id, secret) }),
    },
    body: body.toString(),
    ...(signal && { signal }),
  })
  const answer = parseAnswer(await response.text())
  // Some servers answer errors with status 200.
  if (!response.ok || answer?.['error'] !== undefined) throw new TokenRefused(answer?.['error'])
  if (!answer) throw new TokenRefused(undefined)
  return answer
}

function parseAnswer(text: string): Record<string, unknown> | undefined {
  try {
    const answer = JSON.parse(text) as unknown
    return isObject(answer) ? answer : undefined
  } catch {
    return undefined
  }
}

/** RFC 6749 2.3.1: both parts are encoded as in a form. */
function basicOf(id: string, secret: string): string {
  const encoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)
  return `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')}`
}
