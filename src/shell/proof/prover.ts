import type { ParsedScript } from 'unbash'
import type { Argument } from '../parse/argument.js'
import type { ShellKind } from '../shell-kind.js'
import type { FolderReliance } from '../folder-facts.js'

/** The walk over one command line, as its helpers and the odd commands of the table see it. */
export interface Prover {
  /** Proves a command from its words; the first is its name. */
  provesArguments(args: readonly Argument[]): boolean
  /** Proves a script that is given as text, as to `bash -c`. */
  provesText(text: string, shell: ShellKind): boolean
  provesScript(script: ParsedScript | undefined): boolean
  /** Not proven; the first reason is kept. */
  fail(reason: string): false
  /** The same, for a reason that begins with the first words of a command. */
  failAt(args: readonly Argument[], end: number, reason: string): false
  /** Not proven, and what stands around it may mean something else than it says. */
  taint(reason: string): false
  /** It talks to other hosts. */
  reachesOut(): void
  /** The working directory changes, to a folder that is not known where none is named. */
  moves(to?: string): void
  /** A command obeys what lies in the folder in which it runs, or in the folder `at` seen from there. */
  relies(on: FolderReliance, name: string, at: string): void
}
