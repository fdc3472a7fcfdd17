import { accountFor } from '../shell-reader/accounts/account-for.js'
import type { ShellReading } from '../shell-reader/shell-reading.js'
import { followFolder } from './follow-folder.js'
import { isWild, plainName } from './patterns/path-pattern.js'
import type { CommandNames, TouchedPath } from './touched.js'

/** The paths that the words of each command may name. What is known to be touched has its links followed already. */
export function gatherNames(
  command: ShellReading,
  known: readonly TouchedPath[],
  { followLinks }: { followLinks(path: string): string },
): readonly CommandNames[] {
  const reals = new Map(known.map(({ path, real }) => [path, real]))
  return accountFor(command).map(({ index, isAccounted, isReadOnly, names }) => ({
    index,
    isAccounted,
    isReadOnly,
    names: names.map(({ path: written, seesHidden }): TouchedPath => {
      const isGlob = isWild(written)
      const path = isGlob ? written : plainName(written)
      const real = reals.get(path) ?? (isGlob ? followFolder(path, followLinks) : followLinks(path))
      reals.set(path, real)
      // Of a program that is not known nobody knows either whether it goes into a folder.
      return { access: 'read', path, real, isGlob, seesHidden, ...(!isAccounted && { walk: 'all' as const }) }
    }),
  }))
}
