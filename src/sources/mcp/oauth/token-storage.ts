/** Whose tokens, for which address. */
export interface GrantPlace {
  /** The user they were given to, as written in the records. */
  readonly user: string
  /** The server's address. Tokens of one address are never sent to another. */
  readonly url: string
}

/** What we are to an authorization server. */
export interface GrantClient {
  readonly id: string
  /** Only of clients that registered themselves: a configured secret stays in the config. */
  readonly secret?: string | undefined
  /** How it proves itself at the token endpoint, where the registration said so. */
  readonly authMethod?: string | undefined
  readonly from: 'settings' | 'document' | 'registration'
  /** Where the browser is sent back to, as registered. */
  readonly redirectUrl?: string | undefined
}

/** What one authorization server gave to one user for one server. */
export interface Grant extends GrantPlace {
  /** Who gave it. Nothing of it is ever sent to another one. */
  readonly issuer: string
  readonly client: GrantClient
  /** Absent after a login that is used up: the client is still known. */
  readonly accessToken?: string | undefined
  readonly refreshToken?: string | undefined
  /** What was granted; what was asked for, where the answer did not say. */
  readonly scope?: string | undefined
  /** What the server has asked for since, which only a person can grant. */
  readonly wantedScope?: string | undefined
  readonly issuedAtMs: number
  readonly expiresAtMs?: number | undefined
}

/** Where grants are kept between runs. */
export interface TokenStorage {
  /** Nothing where there is none, or none that can be read. */
  load(place: GrantPlace): Promise<Grant | undefined>
  /** Durable when it resolves, as a whole or not at all. */
  save(grant: Grant): Promise<void>
  /** Whether there was one. */
  remove(place: GrantPlace): Promise<boolean>
  /** Runs alone among everybody who uses this storage, in whatever process, for this place. Tasks are short. */
  exclusively<T>(place: GrantPlace, task: () => Promise<T>): Promise<T>
}
