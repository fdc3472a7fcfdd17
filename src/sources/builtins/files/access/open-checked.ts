import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs'
import type { ProtectedPaths } from '../../../../policy/protected-paths.js'
import { fileProblem, shown, systemProblem } from './file-problem.js'
import type { FilePlace } from './file-roots.js'

// O_NONBLOCK: opening a named pipe must not wait. O_NOFOLLOW: the last part must not have become a link.
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY

/** An open file or folder that is the one at its real path. */
export interface OpenedFile {
  readonly descriptor: number
  readonly stats: Stats
}

/** Opens a regular file, checks that the descriptor is the file that was judged, and closes it after the work. */
export async function withFile<Result>(
  place: FilePlace,
  protectedPaths: ProtectedPaths | undefined,
  work: (file: OpenedFile) => Result | Promise<Result>,
): Promise<Result> {
  const file = openFile(place, protectedPaths)
  try {
    return await work(file)
  } catch (error) {
    throw systemProblem(error, place.path)
  } finally {
    closeSync(file.descriptor)
  }
}

/** The caller closes it. */
export function openFile(place: FilePlace, protectedPaths: ProtectedPaths | undefined): OpenedFile {
  // Before it is opened: opening a device can have effects.
  const refused = kindProblem(look(place), place.path)
  if (refused) throw refused
  const file = openPlace(place, FLAGS)
  const problem = kindProblem(file.stats, place.path) ?? linkedProblem(file.stats, place.path, protectedPaths)
  if (!problem) return file
  closeSync(file.descriptor)
  throw problem
}

/** Opens a folder. The caller closes it. */
export function openFolder(place: FilePlace): OpenedFile {
  if (!look(place).isDirectory())
    throw fileProblem('not_a_folder', `${shown(place.path)} is not a folder; read it instead.`)
  return openPlace(place, FLAGS | constants.O_DIRECTORY)
}

function look({ path, real }: FilePlace): Stats {
  try {
    return lstatSync(real)
  } catch (error) {
    throw systemProblem(error, path)
  }
}

function openPlace({ path, real }: FilePlace, flags: number): OpenedFile {
  let descriptor: number
  try {
    descriptor = openSync(real, flags)
  } catch (error) {
    throw systemProblem(error, path)
  }
  try {
    const stats = fstatSync(descriptor)
    if (!isAt(descriptor, stats, real))
      throw fileProblem('file_changed', `${shown(path)} was moved while it was opened; try again.`)
    return { descriptor, stats }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Whether the descriptor is of the file at that path, with no link on the way. */
function isAt(descriptor: number, stats: Stats, real: string): boolean {
  if (hasDescriptorFolder) return readlinkSync(`/proc/self/fd/${descriptor}`) === real
  const { dev, ino } = lstatSync(real)
  return dev === stats.dev && ino === stats.ino && realpathSync.native(real) === real
}

/** Linux names the file of each descriptor, and entries of an open folder can be reached through it. */
const hasDescriptorFolder =
  process.platform === 'linux' && statSync('/proc/self/fd', { throwIfNoEntry: false }) !== undefined

/**
 * A path for system calls that work in an open folder: on Linux they cannot leave it, whatever happens to its path
 * meanwhile.
 */
export function inFolder({ descriptor }: OpenedFile, real: string): string {
  return hasDescriptorFolder ? `/proc/self/fd/${descriptor}` : real
}

function kindProblem(stats: Stats, path: string): Error | undefined {
  if (stats.isFile()) return undefined
  const what = kindOf(stats)
  const advice = what === 'a folder' ? 'list it instead' : 'only regular files are used'
  return fileProblem('not_a_file', `${shown(path)} is ${what}; ${advice}.`)
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  if (stats.isSymbolicLink()) return 'a link'
  return 'a device'
}

/** A second name of one of Toolcrib's own files. Its path looks like any other. */
function linkedProblem(
  { nlink, dev, ino }: Stats,
  path: string,
  { own, secret = [] }: ProtectedPaths = { own: [] },
): Error | undefined {
  if (nlink < 2) return undefined
  const isOwn = [...secret, ...own].some((each) => {
    const found = statSync(each, { throwIfNoEntry: false })
    return found !== undefined && found.dev === dev && found.ino === ino
  })
  return isOwn
    ? fileProblem(
        'not_permitted',
        `${shown(path)} is another name of a file of Toolcrib, which no tool uses.`,
      )
    : undefined
}
