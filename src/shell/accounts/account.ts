import type { Arg } from '../detection/arg.js'

/** What is known of a program beyond the words that it is given. */
export interface Account {
  /** None of its words names a file whose content it prints or changes. */
  readonly isText?: true
  /** It needs no proof: the shell itself does it, and no option makes it do more. */
  readonly isAlways?: true
  /** All options with which it is accounted for without a proof; `-t=` takes a value. */
  readonly options?: string
  /** Options with which it goes to files that its words do not name: a list of names, settings of somebody's choice. */
  readonly except?: string
  /** The first word is a pattern, unless one of these options gives it: then it is the first file. */
  readonly pattern?: string
  /** The letters of its options that take no value: behind others the first word may be the value. */
  readonly flags?: string
  /** It puts files into a folder if it is given one. */
  readonly isCopying?: true
  /** The pattern is a program, which may name files; what a mere pattern says is never a name. */
  readonly isProgram?: true
  /** Options with a value that may stand before the sub-command. */
  readonly takes?: string
  /** The only sub-commands that are accounted for, and files of its own that each prints. */
  readonly verbs?: Readonly<Record<string, readonly string[]>>
  /** Files of its own that it may print. */
  readonly own?: readonly string[]
  /** A word that begins with an at sign names no list of further words. */
  readonly hasPlainAt?: true
  /** Words that make it go elsewhere. */
  readonly unless?: RegExp
  /** For programs whose words need more than a table. */
  readonly judge?: (words: readonly Arg[]) => Judged
}

/** Whether its words say all that it touches, and which files besides. */
export interface Judged {
  readonly isAccounted: boolean
  /** Files that it keeps, seen from the folder that it runs in or from one above. */
  readonly kept?: readonly string[]
  /** Files or folders of which it prints all that is in them. */
  readonly folders?: readonly string[]
}

export type AccountTable = Readonly<Record<string, Account>>
