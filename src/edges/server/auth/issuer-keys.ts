import type { FetchImplementation, JWTVerifyGetKey } from 'jose'
import { reachOfPeer, type Reach } from '../../../http-client/address-rules.js'
import { sendRequest } from '../../../http-client/send-request.js'
import { isLoopbackName } from '../../../http-client/is-loopback.js'

/** How long keys are cached, and how often an unknown key may cause them to be read again. */
const CACHE_MS = 10 * 60_000
const COOLDOWN_MS = 30_000
/** How long an issuer that did not answer gets no further request. */
const AFTER_FAILURE_MS = 5000
const TIMEOUT_MS = 5000

export interface IssuerKeysOptions {
  readonly issuer: string
  /** The URL of the keys. Default: the one in the issuer's metadata. */
  readonly jwksUri?: string | undefined
  now(): number
}

/** The keys of an issuer cannot be read. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

/** The keys of an issuer, read when they are first needed and again for an unknown key. */
export function issuerKeys({ issuer, jwksUri, now }: IssuerKeysOptions): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | undefined
  let failedAtMs = Number.NEGATIVE_INFINITY

  /** Anyone can send bad tokens for free, so each of them must not cause a request to the issuer. */
  async function careful<T>(read: () => Promise<T>): Promise<T> {
    if (now() - failedAtMs < AFTER_FAILURE_MS) throw new KeysUnavailable()
    try {
      return await read()
    } catch {
      failedAtMs = now()
      throw new KeysUnavailable()
    }
  }

  async function open(): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet, customFetch } = await import('jose')
    const address = jwksUri ?? (await careful(() => discoverKeys(issuer)))
    // An address from the settings is trusted; one from the issuer must not be more internal than the issuer.
    const isNamed = jwksUri !== undefined || new URL(address).host === new URL(issuer).host
    const reach = isNamed ? 'named' : await reachOfPeer(new URL(issuer))
    const fetchKeys: FetchImplementation = (url, { signal }) =>
      careful(async () => {
        const document = (await readDocument(new URL(url), { signal, reach })) as
          { keys?: unknown } | null | undefined
        if (!Array.isArray(document?.keys)) throw new KeysUnavailable()
        return Response.json(document)
      })
    return createRemoteJWKSet(new URL(address), {
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: CACHE_MS,
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: fetchKeys,
    })
  }

  return async (header, token) => {
    keys ??= open()
    keys.catch(() => (keys = undefined))
    return (await keys)(header, token)
  }
}

/** Looks for an issuer's metadata: as in RFC 8414, then as in OpenID Connect. */
async function discoverKeys(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const addresses = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  for (const address of new Set(addresses)) {
    const document = await readDocument(new URL(address), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      reach: 'named',
    })
    const found = document as { issuer?: unknown; jwks_uri?: unknown } | null | undefined
    // Metadata that names another issuer is not this issuer's.
    if (found?.issuer === issuer && typeof found.jwks_uri === 'string') return found.jwks_uri
  }
  throw new KeysUnavailable()
}

const MAX_BYTES = 1024 * 1024

/** Reads a JSON document of an issuer over https or loopback, bounded and without redirects, if there is one. */
async function readDocument(
  url: URL,
  { signal, reach }: { signal: AbortSignal; reach: Reach },
): Promise<unknown> {
  // Without encryption, an attacker on the network could replace the keys.
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))
  if (!isSafe) throw new Error('The address of an issuer must be https.')
  const { status, body } = await sendRequest({ method: 'GET', url, signal, reach, maxBytes: MAX_BYTES })
  if (status >= 300 && status < 400) throw new Error('A document of an issuer is elsewhere.')
  return status >= 200 && status < 300 ? (JSON.parse(body.toString('utf8')) as unknown) : undefined
}
