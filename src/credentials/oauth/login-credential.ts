import type { Credential } from '../../http-client/credential.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { credentialProblem, type MissingCredential } from '../credential-problem.js'
import type { OAuthSettings } from '../credential-settings.js'
import { tokenCredential, type Token, type TokenPosition } from '../token-credential.js'
import { fileTokenStorage } from './file-token-storage.js'
import { toGrant } from './issued-grant.js'
import { oauthClient } from './oauth-client.js'
import { endpointOf, fetchFor, grantKeyOf, loginMissing, type OAuthContext } from './oauth-context.js'
import { requestToken, TokenRefused, type OAuthClient } from './request-token.js'
import { tokenProblem } from './token-problem.js'
import type { Grant } from './token-storage.js'

/** Renewed this long before it expires: a request takes time to arrive. */
const EARLY_MS = 30_000
/** Errors that a retry cannot fix: a person must log in again. */
const USED_UP = new Set(['invalid_grant', 'invalid_scope', 'invalid_target'])

/**
 * The tokens of a login, read from their file for each request, so that a new login counts at once. They are renewed
 * before they expire and after a 401. Without settings, the client of the login is used.
 */
export function loginCredential(
  settings: OAuthSettings | undefined,
  { sentAs, ...context }: OAuthContext & { sentAs: TokenPosition },
): Credential & { missing(): MissingCredential | undefined } {
  const storage = fileTokenStorage({ env: context.env })
  const key = grantKeyOf(context)
  const source = settings && oauthClient(settings, context)

  /** Why a stored login cannot be used. */
  const whyNot = (grant: Grant | undefined): MissingCredential | undefined => {
    if (!grant) return loginMissing(context)
    if (grant.accessToken === undefined) return loginMissing(context, 'needs a new login')
    // Tokens are never sent to another authorization server, nor used by another client.
    const token = endpointOf('token', settings, context)
    const isSame =
      (token === undefined || token.url.href === grant.issuer) &&
      (settings === undefined || settings.client_id === grant.client.id)
    return isSame ? undefined : loginMissing(context, 'needs a new login, because its settings have changed')
  }

  async function freshGrant(refused: string | undefined): Promise<Grant> {
    const grant = usable(await storage.load(key))
    if (isFresh(grant, refused, context.now())) return grant
    if (grant.refreshToken === undefined) {
      if (grant.accessToken !== refused && context.now() < grant.expiresAtMs!) return grant
      throw credentialProblem(loginMissing(context, 'needs a new login'))
    }
    return storage.exclusively(key, async () => {
      // Another process may have renewed it first: many authorization servers accept a refresh token only once.
      const now = usable(await storage.load(key))
      return isFresh(now, refused, context.now()) ? now : renew(now, refused)
    })
  }

  function usable(grant: Grant | undefined): Grant {
    const problem = whyNot(grant)
    if (problem) throw credentialProblem(problem)
    return grant!
  }

  async function renew(grant: Grant, refused: string | undefined): Promise<Grant> {
    try {
      const renewed = await ask(grant)
      await storage.save(renewed)
      return renewed
    } catch (error) {
      if (error instanceof TokenRefused && USED_UP.has(error.code ?? '')) {
        await storage.save({ ...grant, accessToken: undefined, refreshToken: undefined })
        throw credentialProblem(loginMissing(context, 'needs a new login'))
      }
      // The authorization server may be away for a moment.
      if (grant.accessToken !== refused && context.now() < grant.expiresAtMs!) return grant
      throw tokenProblem(context.owner, 'its authorization server did not renew the token', error)
    }
  }

  async function ask(grant: Grant): Promise<Grant> {
    const client: OAuthClient = source ? await source.load() : { id: grant.client.id }
    const token = endpointOf('token', settings, context) ?? { url: new URL(grant.issuer), isNamed: true }
    const issued = await requestToken({
      url: token.url,
      client,
      params: { grant_type: 'refresh_token', refresh_token: grant.refreshToken },
      fetchFn: fetchFor(token, context),
    })
    // A server that issues no new refresh token expects the old one again.
    const refreshToken = issued.refreshToken ?? grant.refreshToken
    return toGrant({ ...issued, refreshToken }, { ...grant, nowMs: context.now() })
  }

  const credential = tokenCredential({
    origin: context.origin,
    sentAs,
    live: context.live,
    now: context.now,
    load: async (refused) => toToken(await freshGrant(refused)),
  })
  return {
    ...credential,
    missing() {
      try {
        return whyNot(storage.peek(key)) ?? source?.missing()
      } catch (error) {
        // The key that unseals it cannot be used: the message says what to do.
        return { message: errorMessage(error), code: 'toolcrib.setup_required' }
      }
    },
  }
}

/** Expired at once: the file knows. */
function toToken({ accessToken, refreshToken }: Grant): Token {
  const secrets = refreshToken === undefined ? [accessToken!] : [accessToken!, refreshToken]
  return { value: accessToken!, expiresAtMs: 0, secrets }
}

function isFresh(
  { accessToken, issuedAtMs, expiresAtMs }: Grant,
  refused: string | undefined,
  nowMs: number,
): boolean {
  if (accessToken === refused) return false
  if (expiresAtMs === undefined) return true
  return nowMs < expiresAtMs - Math.min(EARLY_MS, (expiresAtMs - issuedAtMs) / 10)
}
