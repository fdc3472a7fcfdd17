import type { Argument } from './parse/argument.js'
import type { FolderReliance } from './folder-facts.js'
import type { Prover } from './proof/prover.js'

/**
 * What a command may be given and still only read. What is not named here is not proven: abbreviated long options,
 * options of other versions, sub-commands that a plugin could add.
 */
export interface CommandSpec {
  /**
   * Options by exact spelling, with a space between. `-w=` takes a value, `--color?` takes one only when it is attached,
   * `-#` stands for `-20`, a plain `-a` takes none. Single letters may stand together behind one dash. `-P:` takes the
   * next word even where letters follow, so none may.
   */
  readonly options?: string
  /** `words`: options are whole words behind one dash or two, as `-noout`; `--check` is then the same as `-check`. */
  readonly style?: 'words'
  /** One of these must be given, else the command would do something else than read. */
  readonly needs?: string
  /** What the value of an option must be. Options that are not in here take any. */
  readonly values?: Readonly<Record<string, (value: string) => boolean>>
  /** How many operands there may be; any number when it is not said. */
  readonly operands?: number
  /** What every operand must be. */
  readonly operand?: (value: string) => boolean
  /** No option may follow an operand: some versions would take it for another operand, and write to that. */
  readonly optionsFirst?: true
  /**
   * Words that only the shell can expand may become anything: no option of the command, in any of its versions, makes it
   * do more than read. Options that are written out must be known all the same, for the next version may have more.
   */
  readonly takesUnknown?: true
  /** It has no options to speak of: every word is text to it. */
  readonly isFree?: true
  /** A word that begins with an at sign names a file with more options. */
  readonly readsOptionFiles?: true
  /** Sub-commands; several names of one stand in one key with a space between. One that comes first may begin with a dash. */
  readonly verbs?: Readonly<Record<string, CommandSpec>>
  /** With `verbs`: it may also stand without one. */
  readonly isBare?: true
  /** With `verbs`: its options may also come after the sub-command. */
  readonly isPersistent?: true
  /**
   * With `verbs`: that `--help` behind a sub-command only prints, and other sub-commands of which that is so. Those of
   * plugins are not.
   */
  readonly helpOf?: string
  /** `--help` opens a manual instead of printing. */
  readonly opensManual?: true
  /** Talks to other hosts. Then no word may be one that only the shell can expand: it could carry a secret out. */
  readonly isOpenWorld?: true
  /** Options with which alone it talks to other hosts. */
  readonly reachesOutWith?: string
  /** Options without any of which it talks to other hosts, as those that keep it from looking up names. */
  readonly reachesOutWithout?: string
  /** What it obeys of the folder in which it runs: files there can name programs to run. */
  readonly reliesOn?: FolderReliance
  /** Whether its words, with those before it, make it obey nothing there. `from` is where its own begin. */
  readonly isGuarded?: (args: readonly Argument[], from: number) => boolean
  /** With `verbs`: the folder to which the options before a sub-command lead it, from where it is started, if that is known. */
  readonly folderOf?: (options: readonly Argument[]) => string | undefined
  /** For what options and operands together decide. */
  readonly check?: (given: Given) => boolean
  /** For commands with a grammar of their own: judges all words from `from` on. */
  readonly judge?: (args: readonly Argument[], from: number, prover: Prover) => boolean
}

/** Options and operands that a command was given, once they have been found in its spec. */
export interface Given {
  /** Every option with its last value; an empty one where it has none or the value is not known. */
  readonly options: ReadonlyMap<string, string>
  readonly operands: readonly Argument[]
}

/** A family of commands: several names of one command stand in one key with a space between. */
export type CommandFamily = Readonly<Record<string, CommandSpec>>
