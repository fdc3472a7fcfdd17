import { basename, dirname, join, resolve } from 'node:path'
import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import { followLinks } from '../../../../platform/files/follow-links.js'
import { isWithin } from '../../../../policy/protected-paths.js'
import { fileProblem, shown } from './file-problem.js'

/** A path that a tool may use. */
export interface FilePlace {
  /** Absolute, as written. */
  readonly path: string
  /** With links followed, as it was when the call was judged. */
  readonly real: string
}

/** The folders in which the file tools work. */
export interface FileRoots {
  readonly folders: readonly string[]
  /** The place of a file or folder. Fails for a path outside the roots, as written or with its links followed. */
  find(path: string, context: Pick<ExecuteContext, 'judgedPath'>): FilePlace
  /** The same for an entry of a folder that is itself moved or deleted: a link there is not followed. */
  findEntry(path: string, context: Pick<ExecuteContext, 'judgedPath' | 'mayTouch'>): FilePlace
  /** Whether it is a root, or contains one. */
  holdsRoot(real: string): boolean
}

/** Folders of the kernel: their files are no files of a workspace, and reading them can block or have effects. */
const OF_THE_SYSTEM = ['/proc', '/sys', '/dev']

export function createFileRoots(given: readonly string[], base: string): FileRoots {
  const folders = given.length === 0 ? [base] : given.map((each) => resolve(base, each))
  // Looked up for each call: a root may be made, or become a link, while the tools are open.
  const realFolders = (): string[] => folders.map(followLinks)

  function check(place: FilePlace): FilePlace {
    const { path, real } = place
    const reals = realFolders()
    if (![...folders, ...reals].some((folder) => isWithin(path, folder))) throw outside(path, folders)
    if (!reals.some((folder) => isWithin(real, folder))) throw leadsOutside(path, real)
    if (OF_THE_SYSTEM.some((folder) => isWithin(real, folder)))
      throw fileProblem('not_a_file', `${shown(path)} belongs to the system; the file tools do not use it.`)
    return place
  }

  return {
    folders,
    find(path, { judgedPath }) {
      checkText(path)
      return check({ path, real: judgedPath(path) ?? followLinks(path) })
    },
    findEntry(path, { mayTouch }) {
      checkText(path)
      const real = join(followLinks(dirname(path)), basename(path))
      const place = check({ path, real })
      // The parent is looked up now and not when the call was judged, so the rules are asked again.
      if (!mayTouch(real, 'write', real))
        throw fileProblem('denied_below', `The rules do not let this call change ${shown(path)}.`)
      return place
    },
    holdsRoot: (real) => realFolders().some((folder) => isWithin(folder, real)),
  }
}

/** Texts that the system would read as another name. */
function checkText(path: string): void {
  if (path.includes('\0')) throw fileProblem('outside_roots', 'A path cannot contain a zero character.')
  if (/\p{Surrogate}/u.test(path))
    throw fileProblem('outside_roots', 'The path contains half of a character; write it out in full.')
}

function outside(path: string, folders: readonly string[]): Error {
  return fileProblem(
    'outside_roots',
    `${shown(path)} is outside the folders of the file tools; use a path in ${folders.map(shown).join(' or ')}.`,
  )
}

function leadsOutside(path: string, real: string): Error {
  return fileProblem(
    'outside_roots',
    `${shown(path)} leads through a link to ${shown(real)}, outside the folders of the file tools.`,
  )
}
