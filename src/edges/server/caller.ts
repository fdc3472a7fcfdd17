/** Who is at the other end, as the transport knows it. */
export interface Caller {
  /** As written in the records. */
  readonly actor: string
  /** Stands for what proves it: a digest, never the proof itself. Absent on standard input. */
  readonly token?: string | undefined
  readonly tenant?: string | undefined
  /** Which of the configured surfaces; the default one where absent. */
  readonly surface?: string | undefined
  /** Scopes of its token, where it has any. */
  readonly scopes?: readonly string[] | undefined
  /** How many requests it may send in a minute; the http's own limit where absent. */
  readonly rateLimitPerMinute?: number | undefined
}
