import type { OAuthTokens } from '@modelcontextprotocol/client'
import { LoginFailed } from './login-problem.js'
import type { Grant } from './token-storage.js'

/** A token as it came, bound to where it came from and where it may go. */
export function toGrant(
  tokens: OAuthTokens,
  {
    server,
    nowMs,
    ...bound
  }: Pick<Grant, 'user' | 'url' | 'issuer' | 'client' | 'scope'> & { server: string; nowMs: number },
): Grant {
  const isSafe = /^[\x21-\x7e]{1,65536}$/.test(tokens.access_token)
  if (tokens.token_type.toLowerCase() !== 'bearer' || !isSafe) {
    throw new LoginFailed(
      `The authorization server of "${server}" gave a token of a kind that cannot be used here.`,
    )
  }
  return {
    ...bound,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    scope: tokens.scope ?? bound.scope,
    issuedAtMs: nowMs,
    expiresAtMs: tokens.expires_in === undefined ? undefined : nowMs + tokens.expires_in * 1000,
  }
}
