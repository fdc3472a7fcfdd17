import type { SchemaNames } from './schema-names.js'
import { wordsOf } from './path-names.js'

/** Where the code behind a tool runs: in this process, in another one of this machine, or on another machine. */
export const runLocations = ['in_process', 'here', 'elsewhere'] as const
export type RunLocation = (typeof runLocations)[number]

/** How the arguments of a tool are searched for paths in fields that are not declared as paths. */
export interface ArgumentReach {
  readonly runs: RunLocation
  /** Folders for relative names, beside the caller's working folder. The first is the tool's own working folder. */
  readonly folders: readonly string[]
  readonly names: SchemaNames
  /** A trusted source declares that the tool only reads. */
  readonly onlyReads: boolean
  /** The tool walks folders that it gets. */
  readonly walks: boolean
  /** The tool removes or moves what it gets, with everything below it. */
  readonly moves: boolean
  /**
   * Some argument of the tool is certainly a path, so arguments that are contents by name are not paths. This depends
   * on the tool and not on the call: a further argument must not loosen what is found in the others.
   */
  readonly hasPaths: boolean
  /** The tool writes text into files and does not run it. */
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
 * A tool's own name shows whether it walks folders. That only tightens, so names from an untrusted source may decide
 * it. `writesText` only means that `code` is searched no more than other contents.
 */
export function reachByName(names: readonly string[]): Pick<ArgumentReach, 'walks' | 'moves' | 'writesText'> {
  const moves = says(names, MOVES)
  const writesText = says(names, WRITES_TEXT) && !says(names, RUNS)
  return { walks: moves || says(names, WALKS), moves, writesText }
}

/** Whether a tool that is known only by its name writes text into files: then one of its arguments is the path. */
export function writesFiles(name: string): boolean {
  return reachByName([name]).writesText && says([name], FILES)
}

const FILES = new Set(['file', 'files'])

/** An argument that makes a tool walk folders: `recursive: true`, `depth: 3`. */
export function asksToWalk(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false
  for (const key in input) {
    const value: unknown = Reflect.get(input, key)
    if (value === false || value === null || value === undefined || value === 0 || value === 1) continue
    if (/recurs|depth|\bdeep\b/i.test(key)) return true
  }
  return false
}
