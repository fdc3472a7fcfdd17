import type { ParsedScript } from 'unbash'
import type { Argument } from '../parse/argument.js'
import type { ShellKind } from '../shell-kind.js'
import type { FolderReliance } from '../folder-facts.js'

/** The walk over one command line, for its helpers and for the special commands of the table. */
export interface Prover {
  /** Proves a command from its words; the first is its name. */
  provesArguments(args: readonly Argument[]): boolean
  /** Proves a script that is given as text, for example to `bash -c`. */
  provesText(text: string, shell: ShellKind): boolean
  provesScript(script: ParsedScript | undefined): boolean
  /** Not proven; the first reason is kept. */
  fail(reason: string): false
  /** The same, for a reason that begins with the first words of a command. */
  failAt(args: readonly Argument[], end: number, reason: string): false
  /** Not proven, and the commands around it may have another meaning. */
  taint(reason: string): false
  /** It talks to other hosts. */
  reachesOut(): void
  /** The working folder changes; to an unknown one if none is named. */
  moves(to?: string): void
  /** A command obeys files of its working folder, or of the folder `at` relative to it. */
  relies(on: FolderReliance, name: string, at: string): void
}
