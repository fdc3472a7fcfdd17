/** The user and address that a grant belongs to. */
export interface GrantKey {
  /** The user of the tokens, as written in the records. */
  readonly user: string
  /** The server's address. Tokens of one address are never sent to another. */
  readonly url: string
}

/** The client's registration at an authorization server. */
export interface GrantClient {
  readonly id: string
  /** Only for clients that registered themselves: a configured secret stays in the config. */
  readonly secret?: string | undefined
  /** The authentication method at the token endpoint, where the registration named one. */
  readonly authMethod?: string | undefined
  readonly from: 'settings' | 'document' | 'registration'
  /** The registered redirect address. */
  readonly redirectUrl?: string | undefined
}

/** The tokens that one authorization server issued to one user for one server. */
export interface Grant extends GrantKey {
  /** The issuer of the tokens. They are never sent to another one. */
  readonly issuer: string
  readonly client: GrantClient
  /** Absent after a login expired for good: the client is still stored. */
  readonly accessToken?: string | undefined
  readonly refreshToken?: string | undefined
  /** The granted scope; the requested one, where the response did not name it. */
  readonly scope?: string | undefined
  /** A scope that the server has requested since, which only a person can grant. */
  readonly wantedScope?: string | undefined
  readonly issuedAtMs: number
  readonly expiresAtMs?: number | undefined
}

/** Stores grants between runs. */
export interface TokenStorage {
  /** Undefined where no readable grant is stored. */
  load(key: GrantKey): Promise<Grant | undefined>
  /** Durable and atomic when it resolves. */
  save(grant: Grant): Promise<void>
  /** Returns whether there was one. */
  remove(key: GrantKey): Promise<boolean>
  /** Runs a short task exclusively for this key, among all processes that use this storage. */
  exclusively<T>(key: GrantKey, task: () => Promise<T>): Promise<T>
}
