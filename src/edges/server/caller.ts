import type { Role } from '../../platform/config/roles.js'

/** The caller of a request, as the transport knows it. */
export interface Caller {
  /** The name in the records. */
  readonly actor: string
  /** What it may do. A token for agents has the role `caller` only: no agent approves its own calls with it. */
  readonly roles: readonly Role[]
  /** The name under which a person answers approvals, such as `person:ana`. Absent: the actor. */
  readonly person?: string | undefined
  /** The actors that made its token, or know it: neither answers for the calls of the other. */
  readonly above?: readonly string[] | undefined
  /** Whether this is the user who started the server. The owner's rights cover every tenant. */
  readonly isOwner?: boolean | undefined
  /** A digest that represents the credentials, never the credentials themselves. Absent on standard input. */
  readonly token?: string | undefined
  /** The token that it sent, where that can end while the server runs. */
  readonly tokenId?: string | undefined
  readonly tenant?: string | undefined
  /** One of the configured surfaces. Default: `default`. */
  readonly surface?: string | undefined
  /** The scopes of its token, if any. */
  readonly scopes?: readonly string[] | undefined
  /** When its credentials end, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** How many requests it may send in a minute. Default: the server's limit. */
  readonly rateLimitPerMinute?: number | undefined
}

/** The other actors that could call with its token, for `crib.surface`. */
export function holdersOf({ actor, above = [] }: Caller): { heldBy?: readonly string[] } {
  const heldBy = above.filter((each) => each !== actor)
  return heldBy.length === 0 ? {} : { heldBy }
}

/** Who answers an approval, for `crib.approvals.answer`: the server vouches for all of it. */
export function answererOf({ actor, person, roles, above }: Caller): {
  by: string
  roles: readonly Role[]
  above?: readonly string[]
} {
  return { by: person ?? actor, roles, ...(above && { above }) }
}
