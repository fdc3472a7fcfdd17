import type { ShellReading } from '../../shell/shell-reading.js'

/** What a call would touch, as far as its input shows: for rules about paths, hosts and commands. */
export interface Touched {
  readonly paths: readonly TouchedPath[]
  readonly hosts: readonly string[]
  /** Whole URLs, where the input has them. */
  readonly urls: readonly string[]
  /** What the command does, where the tool runs one. */
  readonly command: ShellReading | undefined
  readonly commandText: string | undefined
  /** What the words of each command may name. Computed on first use: only rules about paths need it. */
  readonly accounts?: readonly CommandNames[] | undefined
  /** The files that it names are known only while it runs. */
  readonly isShifting?: boolean | undefined
  /** It has more arguments than can be searched for paths. */
  readonly isTooMuch?: boolean | undefined
}

export interface TouchedPath {
  readonly access: 'read' | 'write'
  /** Absolute and normalised, as written. */
  readonly path: string
  /** With links followed; the same if there are none. */
  readonly real: string
  /** It holds wildcards that the shell will expand. */
  readonly isGlob: boolean
  /** Its wildcards also match names that start with a dot: a program expands them, not the shell. */
  readonly seesHidden?: boolean | undefined
  /**
   * How the folder is walked, if it is one: everywhere, or without names that start with a dot. `named`: perhaps, so
   * only rules that name a path below it match.
   */
  readonly walk?: 'visible' | 'all' | 'named' | undefined
  /**
   * How an undeclared argument was found to be a path. `name`: by its name or schema. `value`: by what its text means
   * on this machine; it counts for rules and protected paths, but not for working folders. `remote`: by name, for a
   * tool on another machine; only rules apply to it. `content`: a text that is content by name and a path as a whole;
   * rules at most ask about it, and only known protected paths of Toolcrib are denied.
   */
  readonly basis?: 'name' | 'value' | 'remote' | 'content' | undefined
}

/** One command of a line: what its words may name, and whether it touches nothing else. */
export interface CommandNames {
  /** Its index among the commands of the reading; absent for files that the shell puts in place of wildcards. */
  readonly index: number | undefined
  readonly isAccounted: boolean
  readonly isReadOnly: boolean
  /** The word that names its program; absent with the index. */
  readonly program: string | undefined
  readonly names: readonly NamedPath[]
}

/** A path that a word may name. */
export interface NamedPath extends Omit<TouchedPath, 'access'> {
  /** Absent if it is unknown whether it is read or written. */
  readonly access: TouchedPath['access'] | undefined
  /** The word that contains it, and its part of the word; absent if no word contains it. */
  readonly word?: string | undefined
  readonly name?: string | undefined
}
