import type { SchemaNames } from './schema-names.js'
import { wordsOf } from './path-names.js'

/** Where the code behind a tool runs: in this process, in another one of this machine, or on another machine. */
export const runPlaces = ['in_process', 'here', 'elsewhere'] as const
export type RunPlace = (typeof runPlaces)[number]

/** How the arguments of a tool are searched for paths that nobody declared. */
export interface ArgumentReach {
  readonly runs: RunPlace
  /** Where it looks for relative names, beside the folder that the caller works in. The first is where it stands. */
  readonly folders: readonly string[]
  readonly names: SchemaNames
  /** Somebody who is believed says that it only reads. */
  readonly onlyReads: boolean
  /** It goes into folders that it is given. */
  readonly walks: boolean
  /** It takes away or puts elsewhere what it is given, with all that lies in it. */
  readonly moves: boolean
  /**
   * Some argument of the tool is a path for certain, so that those which are contents by name are none. By the tool and not by
   * the call: no further argument loosens what is found in the others.
   */
  readonly hasPaths: boolean
  /** It puts text into files and runs none of it. */
  readonly writesText: boolean
}

const WALKS = new Set(
  (
    'search grep rg ripgrep find tree walk glob scan crawl index recursive recurse recursively zip archive tar pack ' +
    'compress backup sync mirror copy cp clone upload export import pull dump du deep all'
  ).split(' '),
)
const MOVES = new Set(
  'move mv rename delete remove rm rmdir unlink trash purge wipe erase prune clean'.split(' '),
)
const WRITES_TEXT = new Set('write edit create insert append replace save update overwrite'.split(' '))
const RUNS = new Set(
  'run exec execute eval evaluate shell bash sh terminal script python node repl test start launch'.split(
    ' ',
  ),
)

const says = (names: readonly string[], words: ReadonlySet<string>): boolean =>
  names.some((name) => wordsOf(name).some((word) => words.has(word)))

/**
 * A tool's own name tells whether it goes into folders. That only ever tightens, so that anybody's word will do. That it
 * writes text only means that its `code` is searched no more than its other contents.
 */
export function reachByName(names: readonly string[]): Pick<ArgumentReach, 'walks' | 'moves' | 'writesText'> {
  const moves = says(names, MOVES)
  const writesText = says(names, WRITES_TEXT) && !says(names, RUNS)
  return { walks: moves || says(names, WALKS), moves, writesText }
}

/** Whether a tool of which only the name is known writes text into files: then it is told into which. */
export function writesFiles(name: string): boolean {
  return reachByName([name]).writesText && says([name], FILES)
}

const FILES = new Set(['file', 'files'])

/** An argument that makes a tool go into folders: `recursive: true`, `depth: 3`. */
export function asksToWalk(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false
  for (const key in input) {
    const value: unknown = Reflect.get(input, key)
    if (value === false || value === null || value === undefined || value === 0 || value === 1) continue
    if (/recurs|depth|\bdeep\b/i.test(key)) return true
  }
  return false
}
