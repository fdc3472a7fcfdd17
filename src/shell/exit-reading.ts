/** What the exit code of a command says. Only `failure` means that something went wrong. */
export type ExitMeaning =
  | 'success'
  /** It looked for something that is not there. */
  | 'nothing_found'
  /** It compared things, and they are not the same. */
  | 'differs'
  /** It asked something, and the answer is no. */
  | 'condition_false'
  /** It did what it could and could not look everywhere. */
  | 'partly'
  /** It went wrong, or it cannot be told that it did not. */
  | 'failure'

export interface ExitReading {
  readonly meaning: ExitMeaning
  /** One sentence for people and models. */
  readonly sentence: string
}

export interface ExitOptions {
  /**
   * All that the command wrote to stderr, where that was kept apart. Some commands use one code for "no" and for trouble,
   * but have trouble only aloud: where nothing was said, their code can be read. Left out, it counts as a failure.
   */
  readonly stderr?: string | undefined
  /**
   * All that the command wrote to stdout, where that was kept apart. A `find` that could not look everywhere has done a
   * part of its work only where it found something. Left out, it counts as a failure.
   */
  readonly stdout?: string | undefined
  /** The shell was started with `pipefail`: a code may come from any part of a pipeline. */
  readonly pipefail?: boolean | undefined
}
