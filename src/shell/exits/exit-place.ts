import type { Finding } from './finding.js'

/** Where in a command one stands while it is looked for the part that an exit code comes from. */
export interface ExitContext {
  readonly code: number
  /** Stderr is known to be empty, and what is said here would be in it. */
  readonly isHeard: boolean
  /** Something was said on stderr, whoever said it. */
  readonly hasComplaint: boolean
  /** Something was written to stdout, and if the code comes from here, nobody else can have written it. */
  readonly hasOutput: boolean
  /** What is named here may be a command of the shell itself. */
  readonly isShell: boolean
  /** A pipeline may end with the code of any of its parts. */
  readonly pipefail: boolean
  /** A script may have ended at any of its statements. */
  readonly errexit: boolean
  /** An unset variable ends a script. */
  readonly nounset: boolean
  /** How many shells stand around it. */
  readonly depth: number
  /** Looks into a text that a shell is given; passed along, so that whoever meets one need not know who reads it. */
  readonly inText: (text: string, place: ExitContext) => readonly Finding[]
}
