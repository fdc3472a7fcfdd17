/** The caller of a request, as the transport knows it. */
export interface Caller {
  /** The name in the records. */
  readonly actor: string
  /** A digest that represents the credentials, never the credentials themselves. Absent on standard input. */
  readonly token?: string | undefined
  readonly tenant?: string | undefined
  /** One of the configured surfaces. Default: `default`. */
  readonly surface?: string | undefined
  /** The scopes of its token, if any. */
  readonly scopes?: readonly string[] | undefined
  /** How many requests it may send in a minute. Default: the server's limit. */
  readonly rateLimitPerMinute?: number | undefined
}
