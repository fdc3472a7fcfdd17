import type { Argument } from './parse/argument.js'
import type { FolderReliance } from './folder-facts.js'
import type { Prover } from './proof/prover.js'

/**
 * The words with which a command only reads. Other words are not proven: abbreviated long options, options of other
 * versions, sub-commands that a plugin could add.
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
  /** One of these must be given, otherwise the command does more than read. */
  readonly needs?: string
  /** What the value of an option must be. Options that are not in here take any. */
  readonly values?: Readonly<Record<string, (value: string) => boolean>>
  /** How many operands there may be; any number by default. */
  readonly operands?: number
  /** What every operand must be. */
  readonly operand?: (value: string) => boolean
  /** No option may follow an operand: some versions would read it as another operand, and write to it. */
  readonly optionsFirst?: true
  /**
   * Words that only the shell can expand may become anything: no option of the command, in any of its versions, makes
   * it do more than read. Literal options must still be known, because the next version may have more.
   */
  readonly takesUnknown?: true
  /** It has practically no options: every word is text to it. */
  readonly isFree?: true
  /** A word that begins with an at sign names a file with more options. */
  readonly readsOptionFiles?: true
  /** Sub-commands; several names of one are in one key with a space between. The first may begin with a dash. */
  readonly verbs?: Readonly<Record<string, CommandSpec>>
  /** With `verbs`: it may also be used without one. */
  readonly isBare?: true
  /** With `verbs`: its options may also come after the sub-command. */
  readonly isPersistent?: true
  /**
   * With `verbs`: `--help` after a sub-command only prints, also for these further sub-commands. Those of plugins are
   * excluded.
   */
  readonly helpOf?: string
  /** `--help` opens a manual instead of printing. */
  readonly opensManual?: true
  /** Talks to other hosts. Then no word may be one that only the shell can expand: it could send a secret. */
  readonly isOpenWorld?: true
  /** Options with which alone it talks to other hosts. */
  readonly reachesOutWith?: string
  /** It talks to other hosts unless one of these options is given, such as those against name look-ups. */
  readonly reachesOutWithout?: string
  /** Which files of its working folder it obeys: they can name programs to run. */
  readonly reliesOn?: FolderReliance
  /** Whether its words, with those before it, make it obey nothing there. `from` is the index of its first own word. */
  readonly isGuarded?: (args: readonly Argument[], from: number) => boolean
  /** With `verbs`: the folder that the options before a sub-command lead to, relative to its start, if known. */
  readonly folderOf?: (options: readonly Argument[]) => string | undefined
  /** For conditions on options and operands together. */
  readonly check?: (given: Given) => boolean
  /** For commands with a grammar of their own: judges all words from `from` on. */
  readonly judge?: (args: readonly Argument[], from: number, prover: Prover) => boolean
}

/** The options and operands of a command that were found in its spec. */
export interface Given {
  /** Every option with its last value; an empty one if it has none or the value is unknown. */
  readonly options: ReadonlyMap<string, string>
  readonly operands: readonly Argument[]
}

/** A family of commands: several names of one command are in one key with a space between. */
export type CommandFamily = Readonly<Record<string, CommandSpec>>
