import { accountFor, type CommandAccount } from '../shell-reader/accounts/account-for.js'
import type { ShellReading } from '../shell-reader/shell-reading.js'
import { followFolder } from './follow-folder.js'
import { isWild, plainName } from './patterns/path-pattern.js'
import type { CommandNames, NamedPath, TouchedPath } from './touched.js'

interface Naming {
  /** What the call is known to touch: its links are followed, and rules are held against it, already. */
  readonly known: ReadonlyMap<string, TouchedPath>
  followLinks(path: string): string
}

/** The paths that the words of each command may name, besides those that it is known to touch. */
export function gatherNames(
  command: ShellReading,
  touched: readonly TouchedPath[],
  { followLinks }: { followLinks(path: string): string },
): readonly CommandNames[] {
  const known = new Map(touched.map((each) => [each.path, each]))
  return accountFor(command).map((account) => ({
    index: account.index,
    isAccounted: account.isAccounted,
    isReadOnly: account.isReadOnly,
    names: namedPaths(account, { known, followLinks }),
  }))
}

function namedPaths(
  { names, isAccounted }: CommandAccount,
  { known, followLinks }: Naming,
): readonly NamedPath[] {
  const named: NamedPath[] = []
  for (const { path: written, seesHidden, access, isFolder, isPlain } of names) {
    const isGlob = isWild(written)
    const path = isGlob ? written : plainName(written)
    const seen = known.get(path)
    // What a command of which all is known does to a path is known as well.
    if (seen !== undefined && isAccounted && !seesHidden && !isFolder) continue
    const real = seen?.real ?? (isPlain ? path : isGlob ? followFolder(path, followLinks) : followLinks(path))
    // Whether a program that is not known goes into a folder is not known either.
    const walk = isFolder ? 'all' : isAccounted ? undefined : 'named'
    named.push({ access, path, real, isGlob, seesHidden, walk })
  }
  return named
}
