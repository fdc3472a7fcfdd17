import type { Arg } from '../detection/arg.js'

/** What is known about a program beyond its words. */
export interface Account {
  /** None of its words names a file whose content it prints or changes. */
  readonly isText?: true
  /** It needs no proof: it is built into the shell, and no option makes it do more. */
  readonly isAlways?: true
  /** All options with which its files are known without a proof; `-t=` takes a value. */
  readonly options?: string
  /** Options with which it touches files that its words do not name: a list of names, a settings file. */
  readonly except?: string
  /** The first word is a pattern, unless one of these options gives the pattern: then it is the first file. */
  readonly pattern?: string
  /** The letters of its options without a value: after other letters the first word may be the value. */
  readonly flags?: string
  /** It puts files into a folder if a word is one. */
  readonly isCopying?: true
  /** The pattern is a program, which may name files; a plain pattern never names one. */
  readonly isProgram?: true
  /** Options with a value that may precede the sub-command. */
  readonly takes?: string
  /** The only sub-commands whose files are known, and files of its own that each prints. */
  readonly verbs?: Readonly<Record<string, readonly string[]>>
  /** Files of its own that it may print. */
  readonly own?: readonly string[]
  /** A word that begins with `@` names no list of further words. */
  readonly hasPlainAt?: true
  /** Words with which it touches other files. */
  readonly unless?: RegExp
  /** For programs whose words need more than a table. */
  readonly judge?: (words: readonly Arg[]) => Judged
}

/** Whether its words name all files that it touches, and which further files it touches. */
export interface Judged {
  readonly isAccounted: boolean
  /** Files of its own, relative to its working folder or a folder above. */
  readonly kept?: readonly string[]
  /** Files or folders that it prints completely. */
  readonly folders?: readonly string[]
}

export type AccountTable = Readonly<Record<string, Account>>
