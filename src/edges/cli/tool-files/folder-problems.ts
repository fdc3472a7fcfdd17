import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CompiledFolder, FileProblem } from '../../../sources/tool-file/compiled.js'
import type { AppliedFix } from '../../../sources/tool-file/compile/fix-folder.js'

/** A folder that was compiled. */
export interface CheckedFolder {
  /** An absolute path. */
  readonly folder: string
  readonly compiled: CompiledFolder
  /** What --fix has changed. */
  readonly fixes: readonly AppliedFix[]
}

/** A problem with the folder that it belongs to. */
export interface FolderProblem extends FileProblem {
  readonly folder: string
}

export function problemsOf(checked: readonly CheckedFolder[]): FolderProblem[] {
  return checked.flatMap(({ folder, compiled }) =>
    compiled.problems.map((problem) => ({ ...problem, folder })),
  )
}

/** The path of a file as people and programs in `from` write it; always with slashes. */
export function pathFrom(from: string, { folder, file }: Pick<FolderProblem, 'folder' | 'file'>): string {
  const path = relative(from, join(folder, file)) || '.'
  return path.split(sep).join('/')
}

/** The same as a URI; a file outside of `from` has an absolute one. */
export function uriFrom(from: string, problem: Pick<FolderProblem, 'folder' | 'file'>): string {
  const path = pathFrom(from, problem)
  if (path.startsWith('../') || isAbsolute(path))
    return pathToFileURL(join(problem.folder, problem.file)).href
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Files that the compiler did not read: a device without an end, or a link to a file that is none of the folder's. */
const UNREAD: readonly string[] = ['aml/unreadable-file', 'aml/file-too-large']

/** Reads each file once; undefined where it cannot be read. */
export function createTextReader(): (
  problem: Pick<FolderProblem, 'folder' | 'file' | 'code'>,
) => string | undefined {
  const texts = new Map<string, string | undefined>()
  return ({ folder, file, code }) => {
    if (UNREAD.includes(code)) return undefined
    const path = join(folder, file)
    if (!texts.has(path)) texts.set(path, readOrNothing(path))
    return texts.get(path)
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
