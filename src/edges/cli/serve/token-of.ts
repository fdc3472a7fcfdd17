import type { CribSettings } from '../../../host/crib-settings.js'
import { clientTokenOf } from '../../../host/serving/admission.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'

const SHORTEST_TOKEN = 16

/** The token that a client sends: the one of --token, or the one that the config decides on. */
export function tokenOf(
  settings: Pick<CribSettings, 'config' | 'trust'>,
  options: GivenOptions,
): string | undefined {
  return clientTokenOf(settings, givenToken(options))
}

/** The value of --token. */
export function givenToken({ token }: GivenOptions): string | undefined {
  if (token === undefined) return undefined
  if (typeof token === 'string' && token.length >= SHORTEST_TOKEN && /^[\x21-\x7e]+$/.test(token))
    return token
  throw usageProblem(
    `--token must be at least ${SHORTEST_TOKEN} characters without spaces; "openssl rand -hex 32" makes one.`,
  )
}
