import type { OAuthTokens } from '@modelcontextprotocol/client'
import { LoginFailed } from '../../../credentials/oauth/login-problem.js'
import type { Grant } from '../../../credentials/oauth/token-storage.js'

/** The tokens of a response, bound to the authorization server they came from and the server they are for. */
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
