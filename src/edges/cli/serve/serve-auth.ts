import type { CribSettings } from '../../../host/crib-settings.js'
import type { Authenticate } from '../../server/auth/authenticate.js'
import { firstThatKnows } from '../../server/auth/first-that-knows.js'
import {
  protectedResourceMetadata,
  protectedResourceMetadataUrl,
} from '../../server/auth/protected-resource-metadata.js'
import { tokenTable, type TokenEntry } from '../../server/auth/token-table.js'
import type { HttpOptions } from '../../mcp/http/http-options.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'
import { userName } from '../terminal/user-name.js'
import { authOf, checkedToken, tokenOf } from './token-of.js'

export interface ServeAuth extends Pick<HttpOptions, 'authenticate' | 'metadata'> {
  /** What a client that is told of the server shows. */
  token: string | undefined
}

/** Who is let in: whoever has a token of the table, or one of the authorization server; or everybody, where said so. */
export async function serveAuth(settings: CribSettings, options: GivenOptions): Promise<ServeAuth> {
  const auth = authOf(settings)
  if (options['allowAnonymous'] === true || (auth?.anonymous === true && options['token'] === undefined)) {
    if (options['token'] !== undefined)
      throw usageProblem('Give either --token or --allow-anonymous: whoever needs a token is not anonymous.')
    return { authenticate: undefined, token: undefined }
  }
  const { oauth } = auth ?? {}
  const resourceMetadataUrl = oauth && protectedResourceMetadataUrl(oauth.audience)
  const entries = entriesOf(settings, options)
  try {
    const known: Authenticate[] = entries.length > 0 ? [tokenTable(entries, { resourceMetadataUrl })] : []
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
      token: tokenOf(settings, options),
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
    throw usageProblem(error instanceof Error ? error.message : String(error))
  }
}

function entriesOf(settings: CribSettings, options: GivenOptions): TokenEntry[] {
  const { surfaces = {} } = settings.config.serve ?? {}
  const auth = authOf(settings)
  const entries: TokenEntry[] = (auth?.tokens ?? []).map(({ name, actor = name, surface, ...rest }) => {
    if (surface !== undefined && surface !== 'default' && !Object.hasOwn(surfaces, surface))
      throw usageProblem(
        `The token "${name}" names the surface "${surface}", which is not in serve.surfaces.`,
      )
    return { actor, surface, ...rest }
  })
  const actor = settings.config.actor ?? userName()
  if (options['token'] !== undefined) entries.push({ actor, token: checkedToken(options['token']) })
  // Nobody is named: the server is the user's own.
  else if (entries.length === 0 && !auth?.oauth) entries.push({ actor, token: tokenOf(settings, options)! })
  return entries
}
