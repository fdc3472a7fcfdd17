import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** A repository that git might use in a folder. */
export interface Repository {
  /** Contains what belongs to this working tree alone: HEAD and the index. */
  readonly gitFolder: string
  /** Contains the rest, including the configuration. The same folder, unless the working tree is an additional one. */
  readonly commonFolder: string
  /** Absent where the folder is a repository itself. */
  readonly workTree: string | undefined
  /** It is named by a file `.git`, which may point anywhere. */
  readonly isLinked: boolean
}

export type FoundRepositories =
  | { readonly repositories: readonly Repository[]; readonly problem?: undefined }
  | { readonly problem: string }

const MAX_LINK_CHARS = 8192

/**
 * The repositories that git could use in a folder: the nearest one, and before it everything that looks like one,
 * because another version of git may accept it.
 */
export function findRepositories(folder: string): FoundRepositories {
  const repositories: Repository[] = []
  for (let at = folder; ; at = dirname(at)) {
    const found = repositoryAt(at)
    if (found !== undefined) {
      if ('problem' in found) return found
      repositories.push(found)
      if (found.isLinked || isComplete(found)) return { repositories }
    }
    if (dirname(at) === at) return { repositories }
  }
}

/** The repository that begins in this folder: that of a working tree, or the folder itself. */
export function repositoryAt(folder: string): Repository | { problem: string } | undefined {
  const path = join(folder, '.git')
  const found = lookAt(path)
  if (found?.isSymbolicLink()) return { problem: `${path} is a link to another place.` }
  if (found?.isFile()) return linkedRepository(path, folder)
  if (found?.isDirectory()) return openRepository(path, folder)
  if (found !== undefined) return { problem: `${path} is neither a folder nor a file.` }
  const isBare =
    lookAt(join(folder, 'HEAD')) !== undefined &&
    (lookAt(join(folder, 'objects')) ?? lookAt(join(folder, 'commondir'))) !== undefined
  return isBare ? openRepository(folder, undefined) : undefined
}

function linkedRepository(path: string, workTree: string): Repository | { problem: string } {
  const target = /^gitdir: ([^\n]+)\n*$/.exec(readShort(path) ?? '')?.[1]
  if (target === undefined) return { problem: `${path} does not say where the repository is.` }
  const repository = openRepository(resolve(workTree, target), workTree)
  return 'problem' in repository ? repository : { ...repository, isLinked: true }
}

function openRepository(
  gitFolder: string,
  workTree: string | undefined,
): Repository | { readonly problem: string } {
  const path = join(gitFolder, 'commondir')
  if (lookAt(path) === undefined) return { gitFolder, commonFolder: gitFolder, workTree, isLinked: false }
  const common = readShort(path)?.trimEnd()
  if (common === undefined || common === '') return { problem: `${path} cannot be read.` }
  return { gitFolder, commonFolder: resolve(gitFolder, common), workTree, isLinked: false }
}

/** Whether git certainly accepts this as a repository, and looks no further. */
function isComplete({ gitFolder, commonFolder }: Repository): boolean {
  if (!/^(?:ref: refs\/|[0-9a-f]{40}\s*$)/.test(readShort(join(gitFolder, 'HEAD')) ?? '')) return false
  return ['objects', 'refs'].every((name) => {
    try {
      return statSync(join(commonFolder, name)).isDirectory()
    } catch {
      return false
    }
  })
}

/** Whether a repository that a file `.git` points to names that working tree as its own. */
export function leadsBack({ gitFolder, workTree }: Repository): boolean {
  const back = readShort(join(gitFolder, 'gitdir'))?.trimEnd()
  return back !== undefined && isSamePath(resolve(gitFolder, back), join(workTree!, '.git'))
}

export function isSamePath(one: string, other: string): boolean {
  try {
    return realpathSync.native(one) === realpathSync.native(other)
  } catch {
    return false
  }
}

/** The entry at a path, without following a link. What this user cannot read, git cannot read either. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function readShort(path: string): string | undefined {
  try {
    const found = lstatSync(path)
    return found.isFile() && found.size <= MAX_LINK_CHARS ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}
