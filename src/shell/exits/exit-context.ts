import type { Finding } from './finding.js'

/** The state of the search for the part of a command that an exit code comes from. */
export interface ExitContext {
  readonly code: number
  /** Stderr is known to be empty, and messages of this part would be in it. */
  readonly isSilent: boolean
  /** Some part wrote to stderr. */
  readonly hasStderr: boolean
  /** Something was written to stdout, and if the code comes from here, no other part can have written it. */
  readonly hasOutput: boolean
  /** Names here may be shell builtins. */
  readonly isShell: boolean
  /** A pipeline may end with the code of any of its parts. */
  readonly pipefail: boolean
  /** A script may have ended at any of its statements. */
  readonly errexit: boolean
  /** An unset variable ends a script. */
  readonly nounset: boolean
  /** How many shells are nested around it. */
  readonly depth: number
  /** Reads a text for a shell; passed in, so that callers do not import the reader. */
  readonly inText: (text: string, context: ExitContext) => readonly Finding[]
}
