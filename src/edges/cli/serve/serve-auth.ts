import type { CribSettings } from '../../../host/crib-settings.js'
import type { SettingsInForce } from '../../../host/follow-config.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { admissionNow, admissionOf, type AdmittedCallers } from '../../../host/serving/admission.js'
import { protectedResourceMetadata } from '../../server/auth/protected-resource-metadata.js'
import { createClientAddress } from '../../server/client-address.js'
import { tokenCallers } from '../../server/auth/token-table.js'
import type { OidcHandlerOptions } from '../../server/oidc/oidc-handler.js'
import type { HttpOptions } from '../../mcp/http/http-options.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'
import { givenToken, tokenOf } from './token-of.js'

export interface ServeAuth extends Pick<HttpOptions, 'metadata'> {
  readonly admitted: AdmittedCallers
  /** Who is admitted where the tokens of the config are others. A token with a problem is left out. */
  admitNow(now: SettingsInForce, onProblem: (message: string) => void): AdmittedCallers
  /** The token that a client sends. */
  readonly token: string | undefined
  /** Where people log in. */
  readonly oidc: Pick<OidcHandlerOptions, 'client' | 'settings' | 'publicUrl'> | undefined
}

/** Who is admitted by the config and the options. What is wrong with them is reported before anything is opened. */
export async function serveAuth(settings: CribSettings, options: GivenOptions): Promise<ServeAuth> {
  const isAnonymous = options['allowAnonymous'] === true
  if (isAnonymous && options['token'] !== undefined)
    throw usageProblem('Give either --token or --allow-anonymous: callers with a token are not anonymous.')
  const given = { token: givenToken(options), isAnonymous }
  const admitted = admissionOf(settings, given)
  if (admitted.kind === 'problem') throw usageProblem(admitted.message)
  checkPublicUrl(settings)
  checkTrustedProxies(settings)
  const { oauth } = admitted
  return {
    admitted,
    admitNow: (now, onProblem) => admissionNow(settings, now, { ...given, onProblem }),
    oidc: await usable(settings, admitted),
    token: admitted.kind === 'anonymous' ? undefined : tokenOf(settings, options),
    ...(oauth && {
      metadata: () =>
        protectedResourceMetadata({
          resource: oauth.audience,
          issuers: [oauth.issuer],
          scopes: oauth.scopes,
        }),
    }),
  }
}

async function usable(
  { config }: CribSettings,
  { tokens, oidc }: AdmittedCallers,
): Promise<ServeAuth['oidc']> {
  try {
    tokenCallers(tokens)
    if (!oidc) return undefined
    const { createOidcClient } = await import('../../server/oidc/oidc-client.js')
    const client = createOidcClient({ settings: oidc, env: process.env, now: Date.now })
    return { client, settings: oidc, publicUrl: config.serve?.publicUrl }
  } catch (error) {
    throw usageProblem(errorMessage(error))
  }
}

function checkTrustedProxies({ config }: CribSettings): void {
  try {
    createClientAddress(config.serve?.trustedProxies ?? [])
  } catch (error) {
    throw usageProblem(`"serve.trustedProxies" cannot be used: ${errorMessage(error)}`)
  }
}

function checkPublicUrl({ config }: CribSettings): void {
  const given = config.serve?.publicUrl
  if (given === undefined) return
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isOrigin =
    url !== undefined && /^https?:$/.test(url.protocol) && given.replace(/\/$/, '') === url.origin
  if (!isOrigin)
    throw usageProblem(
      '"serve.publicUrl" must be an address without a path, such as https://tools.example.com.',
    )
}
