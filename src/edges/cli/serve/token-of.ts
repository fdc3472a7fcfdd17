import type { CribSettings } from '../../../host/crib-settings.js'
import { loadServeToken } from '../../../credentials/gateway-token.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'

export const PLACEHOLDER = '<your token>'
const SHORTEST_TOKEN = 16

/** The token that a client shows: one that was given, or the user's own. Of the config's only hashes are known. */
export function tokenOf(
  settings: Pick<CribSettings, 'config' | 'trust'>,
  options: GivenOptions,
): string | undefined {
  const { token } = options
  if (token !== undefined) return checkedToken(token)
  const auth = authOf(settings)
  if (auth?.anonymous === true) return undefined
  if (auth?.oauth) return undefined
  return auth?.tokens?.length ? PLACEHOLDER : loadServeToken()
}

/** Whom a config lets in, once it is trusted; before that only its user comes in. */
export function authOf({
  config,
  trust,
}: Pick<CribSettings, 'config' | 'trust'>): NonNullable<CribSettings['config']['serve']>['auth'] {
  return trust.isTrusted ? config.serve?.auth : undefined
}

export function checkedToken(token: unknown): string {
  if (typeof token === 'string' && token.length >= SHORTEST_TOKEN && /^[\x21-\x7e]+$/.test(token))
    return token
  throw usageProblem(
    `--token must be at least ${SHORTEST_TOKEN} characters without spaces; "openssl rand -hex 32" makes one.`,
  )
}
