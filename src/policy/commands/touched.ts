import type { ShellReading } from '../../shell/shell-reading.js'

/** What a call would touch, as far as its input tells: for rules about paths, hosts and commands. */
export interface Touched {
  readonly paths: readonly TouchedPath[]
  readonly hosts: readonly string[]
  /** Whole URLs, where the input has them. */
  readonly urls: readonly string[]
  /** What the command does, where the tool runs one. */
  readonly command: ShellReading | undefined
  readonly commandText: string | undefined
  /** What the words of each of its commands may name, worked out when it is asked for: only rules about paths do. */
  readonly accounts?: readonly CommandNames[] | undefined
  /** It names files in a way that only shows while it runs. */
  readonly isShifting?: boolean | undefined
  /** It has more arguments than can be searched for paths. */
  readonly isTooMuch?: boolean | undefined
}

export interface TouchedPath {
  readonly access: 'read' | 'write'
  /** Absolute and normalised, as written. */
  readonly path: string
  /** After links are followed; the same where there are none. */
  readonly real: string
  /** It holds wildcards that the shell will expand. */
  readonly isGlob: boolean
  /** Its wildcards also take names that start with a dot: they are a program's, not the shell's. */
  readonly seesHidden?: boolean | undefined
  /** Whoever touches it goes into it, if it is a folder: everywhere, or past names that start with a dot. `named`: perhaps, so
   * that only rules which name a place below it are meant. */
  readonly walk?: 'visible' | 'all' | 'named' | undefined
  /**
   * How an argument that nobody declared came to be a path. `name`: by its name or schema. `value`: by what its text means on
   * this machine; it counts for rules and protected places, and not for where callers may work. `remote`: by name, for a tool
   * of another machine; only rules speak of it. `content`: all of a text that is content by its name; rules about it ask at
   * most, and only places of ours that are known as such are refused.
   */
  readonly basis?: 'name' | 'value' | 'remote' | 'content' | undefined
}

/** One command of a line: what its words may name, and whether that is all that it touches. */
export interface CommandNames {
  /** Its index among the commands of the reading; absent for what the shell itself puts in place of wildcards. */
  readonly index: number | undefined
  readonly isAccounted: boolean
  readonly isReadOnly: boolean
  /** The word that names its program; absent with the index. */
  readonly program: string | undefined
  readonly names: readonly NamedPath[]
}

/** A path that a word may name. */
export interface NamedPath extends Omit<TouchedPath, 'access'> {
  /** Absent where it is not known whether it is read or written. */
  readonly access: TouchedPath['access'] | undefined
  /** The word in which it stands, and the part of the word that it is; absent for what stands in no word. */
  readonly word?: string | undefined
  readonly name?: string | undefined
}
