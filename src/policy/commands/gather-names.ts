import { accountFor, type CommandAccount } from '../../shell/accounts/account-for.js'
import type { ShellReading } from '../../shell/shell-reading.js'
import { followFolder } from './follow-folder.js'
import { matchLinks, type FolderEntry } from './match-links.js'
import { isWild, plainName } from '../patterns/path-pattern.js'
import type { CommandNames, NamedPath, TouchedPath } from './touched.js'

export interface NameContext {
  /** The path with all links in it followed, also where its end does not exist yet. */
  followLinks(path: string): string
  /** If absent, wildcards are compared with rules by their text alone. */
  listFolder?: ((path: string) => readonly FolderEntry[]) | undefined
}

interface Naming {
  /** What the call is known to touch: links are followed and rules are applied already. */
  readonly known: ReadonlyMap<string, TouchedPath>
  followLinks(path: string): string
}

/** The paths that the words of each command may name, beside those that it is known to touch. */
export function gatherNames(
  command: ShellReading,
  touched: readonly TouchedPath[],
  { followLinks, listFolder }: NameContext,
): readonly CommandNames[] {
  const known = new Map(touched.map((each) => [each.path, each]))
  const named = accountFor(command).map((account) => ({
    index: account.index,
    isAccounted: account.isAccounted,
    isReadOnly: account.isReadOnly,
    program: account.program,
    names: namedPaths(account, { known, followLinks }),
  }))
  const globs = touched.filter(({ isGlob }) => isGlob)
  if (listFolder === undefined || globs.length === 0) return named
  return [...named, ...globs.map((glob) => linksOf(glob, { followLinks, listFolder }))]
}

/** The links among the files that match the wildcards. */
function linksOf(
  { path, access }: TouchedPath,
  { followLinks, listFolder }: Required<NameContext>,
): CommandNames {
  const found = matchLinks(path, listFolder)
  const names = (found ?? []).map((link) => ({ access, path: link, real: followLinks(link), isGlob: false }))
  const isReadOnly = access === 'read'
  return { index: undefined, isAccounted: found !== undefined, isReadOnly, program: undefined, names }
}

function namedPaths(
  { names, isAccounted }: CommandAccount,
  { known, followLinks }: Naming,
): readonly NamedPath[] {
  const named: NamedPath[] = []
  for (const { path: written, seesHidden, access, isFolder, isPlain, name, word } of names) {
    const isGlob = isWild(written)
    const path = isGlob ? written : plainName(written)
    const seen = known.get(path)
    // If a command is completely known, its effect on each path is known too.
    if (seen !== undefined && isAccounted && !seesHidden && !isFolder) continue
    const real = seen?.real ?? (isPlain ? path : isGlob ? followFolder(path, followLinks) : followLinks(path))
    // An unknown program may walk a folder.
    const walk = isFolder ? 'all' : isAccounted ? undefined : 'named'
    named.push({ access, path, real, isGlob, seesHidden, walk, name, word })
  }
  return named
}
