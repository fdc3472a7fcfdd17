import type { Arg } from './detection/arg.js'
import type { PathBase } from './detection/resolve-path.js'
import type { FolderFacts } from './folder-facts.js'
import type { ShellKind } from './shell-kind.js'

/** Where a command would start. Reading a command touches nothing itself. */
export interface ShellContext {
  readonly cwd: string
  readonly home: string
  /** The shell that would run it; bash where it is not said. */
  readonly shell?: ShellKind | undefined
  /** Who looks at folders. Where it is absent, no command is proven that obeys what lies in a folder. */
  readonly folders?: FolderFacts | undefined
}

/** What is known of a command before it runs. Paths are absolute and normalised, with `cd` followed. */
export interface ShellReading {
  readonly is_read_only: boolean
  readonly is_destructive: boolean
  readonly is_open_world: boolean
  readonly is_concurrency_safe: boolean
  readonly reads: readonly string[]
  /** Made, changed, moved to or deleted. */
  readonly writes: readonly string[]
  /** Those of `writes` that are gone or emptied afterwards. */
  readonly deletes: readonly string[]
  /** Those of `writes` that the shell itself opens for a redirect. */
  readonly redirects: readonly string[]
  /** Files that are run as programs or scripts. */
  readonly executes: readonly string[]
  readonly hosts: readonly string[]
  readonly commands: readonly SubCommand[]
  /** The words of every command that runs on this machine, as far as they were followed. */
  readonly given: readonly GivenWords[]
  /** The line itself gives names another meaning: by functions, aliases, or variables that decide what runs and how. */
  readonly changesMeaning: boolean
  /** Whether all that it touches is in the lists. Words that only the shell can expand make it false. */
  readonly isComplete: boolean
  /** Code may run that is in no list: a value is evaluated, or the text is not in the grammar that is fully understood. */
  readonly hidesCode: boolean
  /** Something may happen in it that nobody can see: code that is known only when it runs. */
  readonly isBlind: boolean
  /** Something is not known that belongs to no command: what a redirect names, what a variable does. */
  readonly hasLooseGap: boolean
  /** The shell opens a file for a redirect whose name is not known. */
  readonly hidesTarget: boolean
  /** Whether it could be parsed within the limits; what could not is never read-only and never complete. */
  readonly isParsed: boolean
  /** What lies in a folder was looked at or asked for, so that the reading is good for this moment only. */
  readonly dependsOnFolder?: true | undefined
  /** One short sentence each, the weightiest first: why it is not proven, what makes it destructive. */
  readonly reasons: readonly string[]
}

/** One simple command inside a command line, also those inside substitutions, wrappers and scripts given as text. */
export interface SubCommand {
  /** Its words joined by one space, quotes taken off; words that need expansion stand as they were written. */
  readonly text: string
  readonly words: readonly string[]
  /** Whether no word of it needs expansion by the shell: then `words` is exactly what would run. */
  readonly isLiteral: boolean
  /** Proven to only read, together with everything around it that could change its meaning. */
  readonly isReadOnly: boolean
  /** Index of the command that would run this one: `sudo`, `timeout`, `xargs`, `sh -c`. */
  readonly wrappedBy: number | undefined
  /** It only runs another command and adds nothing of its own: `timeout 5`, `nice`, `time`. */
  readonly isTransparent: boolean
}

/** The words of one command, with variables followed, and where it may run. */
export interface GivenWords {
  readonly args: readonly Arg[]
  /** The word that names the program. */
  readonly from: number
  /** Its index among the commands of the reading. */
  readonly index: number
  readonly folders: readonly PathBase[]
  /** Not all that it touches, or that what it runs touches, is known. */
  readonly isOpen: boolean
}
