/** What is added to one request. */
export interface Proof {
  /** With names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, string>> | undefined
  /** Sent with the cookies of the request. */
  readonly cookies?: Readonly<Record<string, string>> | undefined
}

/** A response that says that the proof was not sufficient. */
export interface RefusedProof {
  readonly status: number
  readonly wwwAuthenticate: string | undefined
  /** The proof that was sent with the request; where absent, the last one that was given out. */
  readonly sent?: Proof | undefined
}

/** Proves to one origin who sends a request. */
export interface Credential {
  /** The only origin that it is sent to, such as `https://api.example.com`. */
  readonly origin: string
  proof(): Proof | Promise<Proof>
  /**
   * Called after a 401 or 403. `retry`: there is something new to try. Throws a sentence where a person has to act.
   * Absent: there is never anything new.
   */
  refused?(answer: RefusedProof): Promise<'retry' | 'give_up'>
  /** Resolves when no work is running whose result would be lost with the process, such as a renewal. */
  settled?(): Promise<void>
}
