import type { GivenWords, SubCommand } from '../shell-reading.js'

/** What a command touches, as far as it can be seen without running it. Too much rather than too little. */
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
  /** Something is not known that belongs to no command: what a redirect names, what a variable does. */
  readonly hasLooseGap: boolean
  /** The shell opens a file for a redirect whose name is not known. */
  readonly hidesTarget: boolean
  /** For every command of the list the command of the parse that it comes from: its node, or the words that it is. */
  readonly nodes: readonly (object | undefined)[]
  /** Programs that are not known, or not in all they do: they may write more, and nothing here is complete. */
  readonly guesses: readonly Guess[]
  /** Commands of the tree that write or delete for sure. */
  readonly writers: readonly object[]
  /** Whether names of commands may mean something else than they usually do. */
  readonly changesMeaning: boolean
  /** Apart from what the guesses leave open. */
  readonly isComplete: boolean
  readonly isParsed: boolean
  /** Something may happen in it that nobody can see. */
  readonly isBlind: boolean
  /** Code may run that is in no list: a value is evaluated, or the text is not in our own grammar. */
  readonly hidesCode: boolean
  readonly is_destructive: boolean
  readonly is_open_world: boolean
  /** The weightiest first. */
  readonly reasons: readonly string[]
  /** Those of them that say why it is not complete; only to be asked for where it is not. */
  readonly gaps: readonly string[]
}

/** Whether it only reads is not for the detector to say: whoever puts both readers together fills that in. */
export type FoundCommand = { -readonly [field in keyof SubCommand]: SubCommand[field] }

/** A program that nobody here knows: what it is given may be written. */
export interface Guess {
  /** The command of the tree that leads to it. */
  readonly node: object | undefined
  readonly program: string
  writes: string[]
}
