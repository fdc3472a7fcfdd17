/** The meaning of an exit code. Only `failure` means that something went wrong. */
export type ExitMeaning =
  | 'success'
  /** It searched for something that does not exist. */
  | 'nothing_found'
  /** It compared things that differ. */
  | 'differs'
  /** It tested something, and the answer is no. */
  | 'condition_false'
  /** It did a part of the work and could not read everything. */
  | 'partly'
  /** It failed, or a failure cannot be excluded. */
  | 'failure'

export interface ExitReading {
  readonly meaning: ExitMeaning
  /** One sentence for people and models. */
  readonly sentence: string
}

export interface ExitOptions {
  /**
   * Everything that the command wrote to stderr, if it was captured separately. Some commands use one code for "no" and
   * for errors, but always report errors: with an empty stderr their code is clear. If absent, such a code counts as a
   * failure.
   */
  readonly stderr?: string | undefined
  /**
   * Everything that the command wrote to stdout, if it was captured separately. A `find` that could not read everything
   * has done a part of its work only if it found something. If absent, it counts as a failure.
   */
  readonly stdout?: string | undefined
  /** The shell was started with `pipefail`: a code may come from any part of a pipeline. */
  readonly pipefail?: boolean | undefined
}
