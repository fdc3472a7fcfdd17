import type { IssuedToken } from './request-token.js'
import type { Grant } from './token-storage.js'

/** A token bound to the authorization server it came from and the API it is for. */
export function toGrant(
  { accessToken, refreshToken, expiresInMs, scope }: IssuedToken,
  { nowMs, ...bound }: Pick<Grant, 'user' | 'url' | 'issuer' | 'client' | 'scope'> & { nowMs: number },
): Grant {
  return {
    ...bound,
    accessToken,
    refreshToken,
    scope: scope ?? bound.scope,
    issuedAtMs: nowMs,
    expiresAtMs: expiresInMs === undefined ? undefined : nowMs + expiresInMs,
  }
}
