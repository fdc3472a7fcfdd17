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

const says = (names: readonly string[], words: ReadonlySet<string>): boolean =>
  names.some((name) => wordsOf(name).some((word) => words.has(word)))

/** A tool's own name tells whether it goes into folders. That only ever tightens, so that anybody's word will do. */
export function reachByName(names: readonly string[]): Pick<ArgumentReach, 'walks' | 'moves'> {
  const moves = says(names, MOVES)
  return { walks: moves || says(names, WALKS), moves }
}

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
