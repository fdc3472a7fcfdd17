import { loadServeToken } from '../../credentials/gateway-token.js'
import { isLoopback } from '../../http-client/is-loopback.js'
import type { CribSettings } from '../crib-settings.js'
import { mayHaveAgents } from '../../sources/kinds.js'
import { actorOf } from '../actor-of.js'

type AuthSettings = NonNullable<NonNullable<CribSettings['config']['serve']>['auth']>

/** Shown instead of a token that only its owner knows: the config has its hash. */
export const TOKEN_PLACEHOLDER = '<your token>'

/** A token that the gateway accepts, and the caller that it belongs to. */
export interface ServeToken {
  readonly actor: string
  readonly surface?: string | undefined
  readonly tenant?: string | undefined
  readonly rateLimitPerMinute?: number | undefined
  readonly sha256?: string | undefined
  readonly token?: string | undefined
}

/** Which callers the gateway of a config admits. */
export type Admission =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'tokens'; readonly tokens: readonly ServeToken[]; readonly oauth: AuthSettings['oauth'] }
  | { readonly kind: 'problem'; readonly message: string }

/** What was given in addition to the config. */
export interface GivenAdmission {
  readonly token?: string | undefined
  readonly isAnonymous?: boolean | undefined
}

export function admissionOf(settings: CribSettings, { token, isAnonymous }: GivenAdmission): Admission {
  const auth = authOf(settings)
  if (isAnonymous || (auth?.anonymous === true && token === undefined)) return { kind: 'anonymous' }
  const surfaces = settings.config.serve?.surfaces ?? {}
  const tokens: ServeToken[] = []
  for (const { name, actor = name, surface, ...rest } of auth?.tokens ?? []) {
    const isKnown = surface === undefined || surface === 'default' || Object.hasOwn(surfaces, surface)
    // It may be an agent, which is known when its source has been read.
    if (!isKnown && !mayHaveAgents(settings)) {
      const message = `The token "${name}" names the surface "${surface}", which is not in serve.surfaces.`
      return { kind: 'problem', message }
    }
    tokens.push({ actor, surface, ...rest })
  }
  const actor = actorOf(settings)
  if (token !== undefined) tokens.push({ actor, token })
  // The config names no callers: the gateway is the user's own.
  else if (tokens.length === 0 && !auth?.oauth) tokens.push({ actor, token: loadServeToken() })
  return { kind: 'tokens', tokens, oauth: auth?.oauth }
}

/** Whether a gateway at this address may admit callers without a token. */
export function mayBeAnonymous(host: string): boolean {
  return isLoopback(host)
}

/** The token that a client sends to the gateway of this config: the one that was given, or the user's own. */
export function clientTokenOf(
  settings: Pick<CribSettings, 'config' | 'trust'>,
  given: string | undefined,
): string | undefined {
  if (given !== undefined) return given
  const auth = authOf(settings)
  if (auth?.anonymous === true || auth?.oauth) return undefined
  return auth?.tokens?.length ? TOKEN_PLACEHOLDER : loadServeToken()
}

/** Who a config admits, once it is trusted. Before that, only its user is admitted. */
function authOf({ config, trust }: Pick<CribSettings, 'config' | 'trust'>): AuthSettings | undefined {
  return trust.isTrusted ? config.serve?.auth : undefined
}
