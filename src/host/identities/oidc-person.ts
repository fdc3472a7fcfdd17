import { isObject } from '../../platform/json/is-object.js'
import type { Role } from '../../platform/config/roles.js'
import type { CribSettings } from '../crib-settings.js'
import { mayHaveRole } from '../serving/admission.js'

export type OidcSettings = NonNullable<
  NonNullable<NonNullable<CribSettings['config']['serve']>['auth']>['oidc']
>

/** A person who logged in at an OpenID provider, as a session stores it. */
export interface OidcPerson {
  readonly issuer: string
  readonly clientId: string
  readonly subject: string
  /** The name in the records: it never equals the name of a token or of the owner. */
  readonly actor: string
  /** The values of the roles claim. Which roles they give is for the config to say, also later. */
  readonly claimed: readonly string[]
  readonly tenant?: string | undefined
}

/** A caller of the server, as far as a login decides it. */
export interface OidcCaller {
  readonly actor: string
  readonly person: string
  readonly roles: readonly Role[]
  readonly above: readonly string[]
  readonly tenant?: string | undefined
}

export const ROLES_CLAIM = 'groups'

/** The person of a login, from the claims of the provider, or why the person is not admitted. */
export function oidcPersonOf(
  settings: OidcSettings,
  claims: Readonly<Record<string, unknown>>,
): OidcPerson | { readonly refused: string } {
  const { issuer, clientId, actorClaim = 'sub', tenantClaim, rolesClaim = ROLES_CLAIM } = settings
  const subject = textOf(claimOf(claims, 'sub'))
  const name = textOf(claimOf(claims, actorClaim))
  const tenant = tenantClaim === undefined ? undefined : textOf(claimOf(claims, tenantClaim))
  if (subject === undefined || name === undefined)
    return {
      refused: `the account has no "${actorClaim}"; name another claim in "serve.auth.oidc.actorClaim".`,
    }
  if (tenantClaim !== undefined && tenant === undefined)
    return { refused: `the account has no "${tenantClaim}", which "serve.auth.oidc.tenantClaim" asks for.` }
  const actor = `oidc:${new URL(issuer).host}:${name}`
  const person = {
    issuer,
    clientId,
    subject,
    actor,
    claimed: textsOf(claimOf(claims, rolesClaim)),
    ...(tenant !== undefined && { tenant }),
  }
  return rolesOf(settings, person).length > 0
    ? person
    : { refused: `no value of its "${rolesClaim}" gives a role in "serve.auth.oidc.roles".` }
}

/** What a person who logged in may do by the config of now. Undefined where the config no longer admits the person. */
export function oidcCallerOf(settings: OidcSettings | undefined, person: OidcPerson): OidcCaller | undefined {
  if (settings?.issuer !== person.issuer || settings.clientId !== person.clientId) return undefined
  const roles = rolesOf(settings, person)
  if (roles.length === 0) return undefined
  const { actor, tenant } = person
  // Above itself: a person who tries a tool in the console is no second person who could approve it.
  return { actor, person: `person:${actor}`, roles, above: [actor], ...(tenant !== undefined && { tenant }) }
}

function rolesOf({ roles }: OidcSettings, { claimed }: Pick<OidcPerson, 'claimed'>): Role[] {
  const given = claimed.flatMap((value) => (Object.hasOwn(roles, value) ? (roles[value] ?? []) : []))
  return [...new Set(given)].filter(mayHaveRole)
}

/** A claim by its name, or by a path such as `realm_access.roles`. */
export function claimOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.'))
    value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
  return value
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[^\p{C}]{1,255}$/u.test(value) ? value : undefined
}

function textsOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.filter((each): each is string => typeof each === 'string')
}
