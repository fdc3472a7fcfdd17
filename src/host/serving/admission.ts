import { loadOwnerToken, loadServeToken } from '../../credentials/gateway-token.js'
import { isLoopback } from '../../http-client/is-loopback.js'
import { roles as allRoles, type Role } from '../../platform/config/roles.js'
import type { CribSettings } from '../crib-settings.js'
import { mayHaveAgents } from '../../sources/kinds.js'
import { actorOf, personName } from '../actor-of.js'
import { isInsideCall } from '../is-inside-call.js'

type AuthSettings = NonNullable<NonNullable<CribSettings['config']['serve']>['auth']>

/** Shown instead of a token that only its owner knows: the config has its hash. */
export const TOKEN_PLACEHOLDER = '<your token>'

/** A token that the gateway accepts, and the caller that it belongs to. */
export interface ServeToken {
  /** Of a token that can end while the server runs. */
  readonly tokenId?: string | undefined
  /** Of a token of the config. */
  readonly name?: string | undefined
  readonly actor: string
  readonly roles: readonly Role[]
  /** The name under which a person answers approvals. */
  readonly person?: string | undefined
  readonly isOwner?: boolean | undefined
  readonly surface?: string | undefined
  readonly tenant?: string | undefined
  readonly rateLimitPerMinute?: number | undefined
  readonly sha256?: string | undefined
  readonly token?: string | undefined
}

/** Which callers the gateway of a config admits. */
export type Admission = AdmittedCallers | { readonly kind: 'problem'; readonly message: string }

export interface AdmittedCallers {
  /** With `anonymous`, MCP needs no token; people still need one. */
  readonly kind: 'anonymous' | 'tokens'
  readonly tokens: readonly ServeToken[]
  /** The user who started the server. Absent where a tool started it: then no person is behind it. */
  readonly owner: ServeToken | undefined
  readonly oauth: AuthSettings['oauth']
  /** Where people log in. */
  readonly oidc: AuthSettings['oidc']
}

/** The names of the tokens in the data folder of the user: no other token has them. */
export const OWNER_TOKEN = 'owner'
export const SERVE_TOKEN = 'serve'

const FOR_AGENTS: readonly Role[] = ['caller']

/** What was given in addition to the config. */
export interface GivenAdmission {
  readonly token?: string | undefined
  readonly isAnonymous?: boolean | undefined
}

export function admissionOf(settings: CribSettings, given: GivenAdmission): Admission {
  const problems: string[] = []
  const admitted = admit(settings, given, (problem) => problems.push(problem))
  return problems[0] === undefined ? admitted : { kind: 'problem', message: problems[0] }
}

/**
 * Who is admitted by the tokens of a config as they are now, and by the rest of the config as it was at the start. A token
 * with a problem is left out.
 */
export function admissionNow(
  start: CribSettings,
  now: Pick<CribSettings, 'config' | 'trust'>,
  { onProblem, ...given }: GivenAdmission & { onProblem(message: string): void },
): AdmittedCallers {
  const auth = { ...authOf(start), tokens: authOf(now)?.tokens }
  const config = { ...now.config, actor: start.config.actor, serve: { ...now.config.serve, auth } }
  return admit({ ...start, trust: now.trust, config }, given, onProblem)
}

function admit(
  settings: CribSettings,
  { token, isAnonymous }: GivenAdmission,
  onProblem: (message: string) => void,
): AdmittedCallers {
  const auth = authOf(settings)
  const tokens: ServeToken[] = []
  for (const { actor, roles = FOR_AGENTS, ...rest } of auth?.tokens ?? []) {
    const given = { ...rest, tokenId: `config:${rest.name}`, actor: actor ?? rest.name }
    const problem = problemOf(settings, { ...given, roles })
    if (problem === undefined) tokens.push({ ...given, roles: roles.filter(mayHaveRole) })
    else onProblem(problem)
  }
  const [owner, oidc] = isInsideCall() ? [] : [ownerOf(settings), auth?.oidc]
  if (isAnonymous || (auth?.anonymous === true && token === undefined))
    return { kind: 'anonymous', tokens, owner, oauth: undefined, oidc }
  // An agent holds this token in its config: it must not be able to approve its own calls with it.
  const own = { actor: actorOf(settings), roles: FOR_AGENTS }
  if (token !== undefined) tokens.push({ ...own, token })
  // The config names no callers: the gateway is the user's own.
  else if (tokens.length === 0 && !auth?.oauth)
    tokens.push({ ...own, tokenId: SERVE_TOKEN, token: loadServeToken() })
  return { kind: 'tokens', tokens, owner, oauth: auth?.oauth, oidc }
}

/** A tool that starts a gateway of its own must not get the rights of a person from it. */
export function mayHaveRole(role: Role): boolean {
  return role === 'caller' || role === 'auditor' || !isInsideCall()
}

function ownerOf(settings: CribSettings): ServeToken {
  return {
    tokenId: OWNER_TOKEN,
    actor: actorOf(settings),
    roles: allRoles,
    person: personName(),
    isOwner: true,
    token: loadOwnerToken(),
  }
}

function problemOf(
  settings: CribSettings,
  {
    name,
    actor,
    roles,
    surface,
  }: { name: string; actor: string; roles: readonly Role[]; surface?: string | undefined },
): string | undefined {
  if (roles.length === 0) return `The token "${name}" has no role; leave "roles" out for a caller.`
  const reserved = reservedActor(actor)
  if (reserved !== undefined) return `The token "${name}" has the actor "${actor}": ${reserved}`
  return surface === undefined ? undefined : surfaceProblem(settings, { name, surface })
}

/** Why a token may not act under a name; undefined where it may. */
export function reservedActor(actor: string): string | undefined {
  const prefix = ['person:', 'role:', 'oidc:'].find((each) => actor.startsWith(each))
  return prefix === undefined ? undefined : `names that begin with "${prefix}" are not for tokens.`
}

/** What is wrong with the surface that a token is bound to. */
export function surfaceProblem(
  settings: CribSettings,
  { name, surface }: { name: string; surface: string },
): string | undefined {
  const surfaces = settings.config.serve?.surfaces ?? {}
  const isKnown = surface === 'default' || Object.hasOwn(surfaces, surface)
  // It may be an agent, which is known when its source has been read.
  if (isKnown || mayHaveAgents(settings)) return undefined
  return `The token "${name}" names the surface "${surface}", which is not in serve.surfaces.`
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
