import { accountFor, type CommandAccount } from '../shell-reader/accounts/account-for.js'
import type { PossibleName } from '../shell-reader/accounts/possible-names.js'
import type { ShellReading } from '../shell-reader/shell-reading.js'
import { followFolder } from './follow-folder.js'
import { isWild, plainName } from './patterns/path-pattern.js'
import type { CommandNames, NamedPath, TouchedPath } from './touched.js'

interface NamePlace {
  followLinks(path: string): string
}

/** The paths that the words of each command may name. */
export function gatherNames(
  command: ShellReading,
  touched: readonly TouchedPath[],
  place: NamePlace,
): readonly CommandNames[] {
  const known = new Map<string, TouchedPath[]>()
  for (const each of touched) known.set(each.path, [...(known.get(each.path) ?? []), each])
  return accountFor(command).map((account) => ({
    index: account.index,
    isAccounted: account.isAccounted,
    isReadOnly: account.isReadOnly,
    names: account.names.map((name) => toNamed(name, account, { known, place })),
  }))
}

function toNamed(
  { path: written, seesHidden, access, isFolder }: PossibleName,
  { isAccounted }: CommandAccount,
  { known, place: { followLinks } }: { known: ReadonlyMap<string, readonly TouchedPath[]>; place: NamePlace },
): NamedPath {
  const isGlob = isWild(written)
  const path = isGlob ? written : plainName(written)
  const seen = known.get(path)
  const real = seen?.[0]!.real ?? (isGlob ? followFolder(path, followLinks) : followLinks(path))
  // What a command of which all is known does to a path is known as well.
  const isOne = isAccounted && seen?.length === 1
  return {
    access: access ?? (isOne ? seen![0]!.access : undefined),
    path,
    real,
    isGlob,
    seesHidden,
    // Whether a program that is not known goes into a folder is not known either.
    walk: isFolder ? 'all' : isAccounted ? undefined : 'named',
  }
}
