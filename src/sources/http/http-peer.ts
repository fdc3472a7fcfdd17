/** The service of a call, for sentences about it. */
export interface HttpPeer {
  readonly name: string
  /** The noun of sentences about it. Absent: the API with its name. */
  readonly noun?: string | undefined
  /** Whole sentences that say what to do where a limit of ours stops a call. */
  readonly advice: {
    readonly address: string
    readonly size: string
    /** The rest of a sentence. */
    readonly redirect: string
    /** After a 401 of a request with the credentials of these security schemes. */
    credential(schemes: readonly string[]): string
  }
}
