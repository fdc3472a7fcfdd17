import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { Caller } from '../caller.js'
import type { Authenticate } from './authenticate.js'
import { bearerToken } from './bearer-token.js'
import { issuerKeys, KeysUnavailable } from './issuer-keys.js'
import { refuse, type RefusalReason } from './refuse.js'

export interface JwtVerifierOptions {
  /** The issuer, exactly as in the tokens. */
  readonly issuer: string
  /** The audience of the tokens: the address of this server. */
  readonly audience: string | readonly string[]
  /** The URL of the issuer's keys. Default: the one in its metadata. */
  readonly jwksUri?: string | undefined
  readonly requiredScopes?: readonly string[] | undefined
  /** The accepted signature algorithms: asymmetric ones only. Default: all of those. */
  readonly algorithms?: readonly string[] | undefined
  /** The claim with the caller's name. Default: `sub`. */
  readonly actorClaim?: string | undefined
  /** Distinguishes this issuer's names from all others. Default: `oauth:<host>:`. */
  readonly actorPrefix?: string | undefined
  /** If set, a token without that claim is refused; the same applies to `surfaceClaim`. */
  readonly tenantClaim?: string | undefined
  readonly surfaceClaim?: string | undefined
  readonly rateLimitPerMinute?: number | undefined
  readonly resourceMetadataUrl?: string | undefined
  now(): number
}

const ASYMMETRIC = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

/** Tolerates a small difference between the clocks of two machines. */
const TOLERANCE_SECONDS = 5

/** Authenticates callers by tokens that an authorization server signed for this server. */
export function jwtVerifier(options: JwtVerifierOptions): Authenticate {
  const { issuer, requiredScopes: scope = [], resourceMetadataUrl } = options
  const algorithms = checkAlgorithms(options.algorithms ?? ASYMMETRIC)
  const audience = checkAudience(options.audience)
  const actorPrefix = options.actorPrefix ?? `oauth:${hostOf(issuer)}:`
  const keys = issuerKeys(options)
  const no = (reason: RefusalReason) => refuse(reason, { resourceMetadataUrl, scope })

  return async ({ headers }) => {
    const token = bearerToken(headers)
    if (token === 'none') return no('missing')
    if (token === 'malformed') return no('malformed')
    try {
      const { decodeJwt, jwtVerify } = await import('jose')
      // A token of another issuer must not cause a request for this issuer's keys.
      if (decodeJwt(token).iss !== issuer) return no('unknown')
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms,
        requiredClaims: ['exp', 'iss', 'aud'],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: new Date(options.now()),
      })
      if (!hasScopes(payload, scope)) return no('scope')
      return toCaller(payload, { ...options, actorPrefix }) ?? no('claim')
    } catch (error) {
      return no(reasonOf(error))
    }
  }
}

function checkAlgorithms(algorithms: readonly string[]): string[] {
  const wrong = algorithms.find((name) => !ASYMMETRIC.includes(name))
  if (wrong === undefined && algorithms.length > 0) return [...algorithms]
  throw new Error(
    `serve.auth.oauth: "algorithms" may hold ${ASYMMETRIC.join(', ')}; with others anybody could sign.`,
  )
}

function checkAudience(audience: string | readonly string[]): string[] {
  const all = typeof audience === 'string' ? [audience] : [...audience]
  if (all.length > 0 && all.every((one) => one !== '')) return all
  throw new Error('serve.auth.oauth: "audience" must name this server, or tokens for others would open it.')
}

function hostOf(issuer: string): string {
  if (URL.canParse(issuer)) return new URL(issuer).host
  throw new Error('serve.auth.oauth: "issuer" must be the https address of the authorization server.')
}

/** Nothing where the token has no name or lacks a claim that the settings require. */
function toCaller(
  payload: JWTPayload,
  options: JwtVerifierOptions & { actorPrefix: string },
): Caller | undefined {
  const { tenantClaim, surfaceClaim } = options
  const name = textClaim(payload, options.actorClaim ?? 'sub')
  const tenant = textClaim(payload, tenantClaim)
  const surface = textClaim(payload, surfaceClaim)
  if (name === undefined) return undefined
  if ((tenantClaim && tenant === undefined) || (surfaceClaim && surface === undefined)) return undefined
  return {
    actor: `${options.actorPrefix}${name}`,
    roles: ['caller'],
    // The same for every token of this user and client, so that a renewed token finds the calls of the one before.
    token: digestOf([payload.iss, payload.sub, name, payload['client_id'] ?? payload['azp']]),
    tenant,
    surface,
    scopes: scopesOf(payload),
    rateLimitPerMinute: options.rateLimitPerMinute,
    ...(payload.exp !== undefined && { expiresAt: payload.exp * 1000 }),
  }
}

function textClaim(payload: JWTPayload, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : payload[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** `scope` as in RFC 9068; some issuers use `scp`. */
function scopesOf(payload: JWTPayload): string[] {
  const value = payload['scope'] ?? payload['scp']
  if (typeof value === 'string') return value.split(' ').filter(Boolean)
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function hasScopes(payload: JWTPayload, required: readonly string[]): boolean {
  const scopes = new Set(scopesOf(payload))
  return required.every((one) => scopes.has(one))
}

function reasonOf(error: unknown): RefusalReason {
  if (error instanceof KeysUnavailable) return 'keys'
  const { code, claim } = error as { code?: unknown; claim?: unknown }
  if (code === 'ERR_JWT_EXPIRED') return 'expired'
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && claim === 'aud') return 'audience'
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && claim === 'nbf') return 'early'
  return 'unknown'
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
