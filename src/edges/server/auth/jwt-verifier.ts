import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { Caller } from '../caller.js'
import type { Authenticate } from './authenticate.js'
import { bearerToken } from './bearer-token.js'
import { issuerKeys, KeysUnavailable } from './issuer-keys.js'
import { refuse, type RefusalReason } from './refuse.js'

export interface JwtVerifierOptions {
  /** Who signs, exactly as in the tokens. */
  readonly issuer: string
  /** What the tokens must be for: the address of this server. */
  readonly audience: string | readonly string[]
  /** Where the issuer's keys are; found out from its metadata, where absent. */
  readonly jwksUri?: string | undefined
  readonly requiredScopes?: readonly string[] | undefined
  /** Signatures that are believed: asymmetric ones only. All of those, unless said. */
  readonly algorithms?: readonly string[] | undefined
  /** Which claim says who it is. `sub`, unless said. */
  readonly actorClaim?: string | undefined
  /** Keeps this issuer's names apart from all others. `oauth:<host>:`, unless said. */
  readonly actorPrefix?: string | undefined
  /** Where it is said, a token without that claim is refused; the same holds for the surface. */
  readonly tenantClaim?: string | undefined
  readonly surfaceClaim?: string | undefined
  readonly rateLimitPerMinute?: number | undefined
  readonly resourceMetadataUrl?: string | undefined
  now(): number
}

const ASYMMETRIC = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

/** Clocks of two machines differ a little. */
const TOLERANCE_SECONDS = 5

/** Knows callers by tokens that an authorization server signed for this server and for no other. */
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
      // Nobody else's token makes us ask this issuer for keys.
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

/** Nothing where it does not say who it is, or what else the server wants to know of everybody. */
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
    // The same for every token of this user and client: a renewed token finds what the one before it began.
    token: digestOf([payload.iss, payload.sub, name, payload['client_id'] ?? payload['azp']]),
    tenant,
    surface,
    scopes: scopesOf(payload),
    rateLimitPerMinute: options.rateLimitPerMinute,
  }
}

function textClaim(payload: JWTPayload, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : payload[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** `scope` as RFC 9068 has it; `scp` as some issuers do. */
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
