import type { Arg } from './detection/arg.js'
import type { PathBase } from './detection/resolve-path.js'
import type { FolderFacts } from './folder-facts.js'
import type { ShellKind } from './shell-kind.js'

/** Where a command would start. Reading a command touches nothing. */
export interface ShellContext {
  readonly cwd: string
  readonly home: string
  /** The shell that would run it; bash by default. */
  readonly shell?: ShellKind | undefined
  /** Programs that did more than their proof said: no command of them counts as proven. */
  readonly doubted?: ReadonlySet<string> | undefined
  /** Facts about folders. If absent, no command is proven that obeys files of a folder. */
  readonly folders?: FolderFacts | undefined
}

/** What is known of a command before it runs. Paths are absolute and normalized, with `cd` followed. */
export interface ShellReading {
  readonly is_read_only: boolean
  readonly is_destructive: boolean
  readonly is_open_world: boolean
  readonly is_concurrency_safe: boolean
  readonly reads: readonly string[]
  /** Created, changed, moved to or deleted. */
  readonly writes: readonly string[]
  /** Those of `writes` that are deleted or emptied. */
  readonly deletes: readonly string[]
  /** Those of `writes` that the shell itself opens for a redirect. */
  readonly redirects: readonly string[]
  /** Files that are run as programs or scripts. */
  readonly executes: readonly string[]
  readonly hosts: readonly string[]
  readonly commands: readonly SubCommand[]
  /** The words of every command that runs on this machine, as far as they were followed. */
  readonly given: readonly GivenWords[]
  /** The line itself changes the meaning of names: by functions, aliases, or variables that decide what runs and how. */
  readonly changesMeaning: boolean
  /** Whether everything that it touches is in the lists. Words that only the shell can expand make it false. */
  readonly isComplete: boolean
  /** Code may run that is in no list: a value is evaluated, or the text is not in the strict grammar. */
  readonly hidesCode: boolean
  /** Something unknown may happen in it: code that is known only when it runs. */
  readonly isBlind: boolean
  /** Something unknown that belongs to no command: the target of a redirect, the effect of a variable. */
  readonly hasLooseGap: boolean
  /** The shell opens a file for a redirect with an unknown name. */
  readonly hidesTarget: boolean
  /** Whether it could be parsed within the limits; otherwise it is never read-only and never complete. */
  readonly isParsed: boolean
  /** Facts about a folder were used, so the reading is valid only for this moment. */
  readonly dependsOnFolder?: true | undefined
  /** One short sentence each, the most important first: why it is not proven, why it is destructive. */
  readonly reasons: readonly string[]
}

/** One simple command inside a command line, also those inside substitutions, wrappers and scripts given as text. */
export interface SubCommand {
  /** Its words joined by one space, without quotes; words that need expansion are as written. */
  readonly text: string
  readonly words: readonly string[]
  /** Whether no word of it needs expansion by the shell: then `words` is exactly what would run. */
  readonly isLiteral: boolean
  /** Proven read-only, together with everything around it that could change its meaning. */
  readonly isReadOnly: boolean
  /** Index of the command that would run this one: `sudo`, `timeout`, `xargs`, `sh -c`. */
  readonly wrappedBy: number | undefined
  /** It only runs another command and adds nothing: `timeout 5`, `nice`, `time`. */
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
  /** Not everything that it, or a command that it runs, touches is known. */
  readonly isOpen: boolean
}
