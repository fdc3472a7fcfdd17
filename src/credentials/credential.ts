/** What is added to one request. */
export interface Proof {
  /** With names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, string>> | undefined
}

/** An answer that says that the proof was not enough. */
export interface RefusedProof {
  readonly status: number
  readonly wwwAuthenticate: string | undefined
  /** What had been sent with the request; the last that was given to anybody, where absent. */
  readonly sent?: Proof | undefined
}

/** What proves to one origin who asks. */
export interface Credential {
  /** The only origin that it is sent to, such as `https://api.example.com`. */
  readonly origin: string
  proof(): Proof | Promise<Proof>
  /**
   * After a 401 or 403. `retry`: there is something new to try. Throws a sentence where a person has to do something. Absent:
   * there is never anything new.
   */
  refused?(answer: RefusedProof): Promise<'retry' | 'give_up'>
  /** Resolves when nothing is under way whose outcome would be lost with the process, such as a renewal. */
  settled?(): Promise<void>
}
