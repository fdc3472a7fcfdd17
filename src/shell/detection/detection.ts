import type { GivenWords, SubCommand } from '../shell-reading.js'

/** What a command touches, as far as it can be seen without running it. In doubt the lists are too long. */
export interface Detection {
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly deletes: readonly string[]
  readonly redirects: readonly string[]
  readonly executes: readonly string[]
  readonly hosts: readonly string[]
  readonly commands: readonly FoundCommand[]
  /** The words of every command that runs on this machine, as far as they were followed. */
  readonly given: readonly GivenWords[]
  /** Something unknown that belongs to no command: the target of a redirect, the effect of a variable. */
  readonly hasLooseGap: boolean
  /** The shell opens a file for a redirect with an unknown name. */
  readonly hidesTarget: boolean
  /** For every command of the list its origin in the parse: its node, or its words. */
  readonly nodes: readonly (object | undefined)[]
  /** Unknown or partly known programs: they may write more, so the lists are incomplete. */
  readonly guesses: readonly Guess[]
  /** Commands of the tree that certainly write or delete. */
  readonly writers: readonly object[]
  /** Whether names of commands may have another meaning than usual. */
  readonly changesMeaning: boolean
  /** Without what the guesses leave open. */
  readonly isComplete: boolean
  readonly isParsed: boolean
  /** Something unknown may happen in it. */
  readonly isBlind: boolean
  /** Code may run that is in no list: a value is evaluated, or the text is not in the strict grammar. */
  readonly hidesCode: boolean
  readonly is_destructive: boolean
  readonly is_open_world: boolean
  /** The most important first. */
  readonly reasons: readonly string[]
  /** Those that say why it is not complete; read only if it is not. */
  readonly gaps: readonly string[]
}

/** The detector does not decide whether it only reads: `readCommand` fills that in. */
export type FoundCommand = { -readonly [field in keyof SubCommand]: SubCommand[field] }

/** An unknown program: its arguments may be written. */
export interface Guess {
  /** The command of the tree that it comes from. */
  readonly node: object | undefined
  readonly program: string
  writes: string[]
}
