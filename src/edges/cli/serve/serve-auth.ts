import type { CribSettings } from '../../../host/crib-settings.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { admissionOf, type Admission } from '../../../host/serving/admission.js'
import type { Authenticate } from '../../server/auth/authenticate.js'
import { firstThatKnows } from '../../server/auth/first-that-knows.js'
import {
  protectedResourceMetadata,
  protectedResourceMetadataUrl,
} from '../../server/auth/protected-resource-metadata.js'
import { tokenTable } from '../../server/auth/token-table.js'
import type { HttpOptions } from '../../mcp/http/http-options.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'
import { givenToken, tokenOf } from './token-of.js'

export interface ServeAuth extends Pick<HttpOptions, 'authenticate' | 'metadata'> {
  /** The token that a client sends. */
  token: string | undefined
}

/** How callers are authenticated: by the token table, by the authorization server, or not at all. */
export async function serveAuth(settings: CribSettings, options: GivenOptions): Promise<ServeAuth> {
  const isAnonymous = options['allowAnonymous'] === true
  if (isAnonymous && options['token'] !== undefined)
    throw usageProblem('Give either --token or --allow-anonymous: callers with a token are not anonymous.')
  const admission = admissionOf(settings, { token: givenToken(options), isAnonymous })
  switch (admission.kind) {
    case 'problem':
      throw usageProblem(admission.message)
    case 'anonymous':
      return { authenticate: undefined, token: undefined }
    case 'tokens':
      return { ...(await byTokens(admission)), token: tokenOf(settings, options) }
  }
}

async function byTokens({
  tokens,
  oauth,
}: Extract<Admission, { kind: 'tokens' }>): Promise<Omit<ServeAuth, 'token'>> {
  const resourceMetadataUrl = oauth && protectedResourceMetadataUrl(oauth.audience)
  try {
    const known: Authenticate[] = tokens.length > 0 ? [tokenTable(tokens, { resourceMetadataUrl })] : []
    if (oauth) {
      const { jwtVerifier } = await import('../../server/auth/jwt-verifier.js')
      const { scopes, ...rest } = oauth
      known.push(
        jwtVerifier({
          ...rest,
          requiredScopes: scopes,
          resourceMetadataUrl,
          now: Date.now,
        }),
      )
    }
    return {
      authenticate: firstThatKnows(known as [Authenticate, ...Authenticate[]]),
      ...(oauth && {
        metadata: () =>
          protectedResourceMetadata({
            resource: oauth.audience,
            issuers: [oauth.issuer],
            scopes: oauth.scopes,
          }),
      }),
    }
  } catch (error) {
    throw usageProblem(errorMessage(error))
  }
}
