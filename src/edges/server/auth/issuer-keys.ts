import type { FetchImplementation, JWTVerifyGetKey } from 'jose'
import { reachOfPeer } from '../../../http-client/address-rules.js'
import { readDocument } from './read-document.js'

/** How long keys are good before they are read again, and how often an unknown key may make us read them. */
const CACHE_MS = 10 * 60_000
const COOLDOWN_MS = 30_000
/** How long an issuer that did not answer is left alone. */
const AFTER_FAILURE_MS = 5000
const TIMEOUT_MS = 5000

export interface IssuerKeysOptions {
  readonly issuer: string
  /** Where the keys are; as the issuer's own metadata says, where absent. */
  readonly jwksUri?: string | undefined
  now(): number
}

/** The keys of an issuer cannot be had. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

/** The keys of an issuer, read when they are first needed and again when there are new ones. */
export function issuerKeys({ issuer, jwksUri, now }: IssuerKeysOptions): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | undefined
  let failedAtMs = Number.NEGATIVE_INFINITY

  /** Bad tokens cost whoever sends them nothing: they must not become as many requests to the issuer. */
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
    // What the settings name is meant; what the issuer names lies no further inside than the issuer.
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

/** Where an issuer's metadata may stand: RFC 8414, then OpenID Connect. */
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
    // Metadata that calls itself something else is somebody else's.
    if (found?.issuer === issuer && typeof found.jwks_uri === 'string') return found.jwks_uri
  }
  throw new KeysUnavailable()
}
