import { randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileProblem, shown, systemProblem } from '../access/file-problem.js'
import type { FilePlace } from '../access/file-roots.js'
import { inFolder, openFolder } from '../access/open-checked.js'

/**
 * Writes the whole content of a file, durably, or nothing of it. `before` is the file as it was read; another file, or
 * a changed one, is not replaced. Undefined: there must be no file yet.
 */
export function replaceContent(place: FilePlace, bytes: Uint8Array, before: Stats | undefined): void {
  const folder = openFolder({ path: dirname(place.path), real: dirname(place.real) })
  const within = inFolder(folder, dirname(place.real))
  const target = join(within, basename(place.real))
  const draft = join(within, `.toolcrib-${randomBytes(8).toString('hex')}.tmp`)
  try {
    if (before) checkUnchanged(target, before, place.path)
    writeDraft(draft, bytes, before)
    if (before) {
      checkUnchanged(target, before, place.path)
      renameSync(draft, target)
    } else putNew(draft, target)
    fsyncSync(folder.descriptor)
  } catch (error) {
    rmSync(draft, { force: true })
    throw systemProblem(error, place.path)
  } finally {
    closeSync(folder.descriptor)
  }
}

/** Makes the missing folders of a path, each within the one above. */
export function makeFolders(place: FilePlace): void {
  if (lstatSync(place.real, { throwIfNoEntry: false })) return
  const above = { path: dirname(place.path), real: dirname(place.real) }
  if (above.real === place.real) return
  makeFolders(above)
  const folder = openFolder(above)
  try {
    mkdirSync(join(inFolder(folder, above.real), basename(place.real)))
    fsyncSync(folder.descriptor)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw systemProblem(error, place.path)
  } finally {
    closeSync(folder.descriptor)
  }
}

function writeDraft(draft: string, bytes: Uint8Array, before: Stats | undefined): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = openSync(draft, flags, before ? 0o600 : 0o666)
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
    if (before) keepOwner(file, before)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The owner and the mode of the file before. Only the superuser may keep a foreign owner. */
function keepOwner(file: number, before: Stats): void {
  if (before.uid !== process.getuid?.() || before.gid !== process.getgid?.()) {
    try {
      fchownSync(file, before.uid, before.gid)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
    }
  }
  fchmodSync(file, before.mode & 0o777)
}

function checkUnchanged(target: string, before: Stats, path: string): void {
  const now = lstatSync(target, { throwIfNoEntry: false })
  const isSame =
    now !== undefined &&
    now.ino === before.ino &&
    now.dev === before.dev &&
    now.size === before.size &&
    now.mtimeMs === before.mtimeMs
  if (!isSame)
    throw fileProblem('file_changed', `${shown(path)} was changed by someone else meanwhile; read it again.`)
  // A file that is marked as read-only could be replaced all the same, because its folder decides that.
  accessSync(target, constants.W_OK)
}

/** Fails if another program has made the file meanwhile. */
function putNew(draft: string, target: string): void {
  try {
    linkSync(draft, target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
    // A file system without links.
    if (lstatSync(target, { throwIfNoEntry: false }))
      throw Object.assign(new Error('exists'), { code: 'EEXIST' })
    renameSync(draft, target)
    return
  }
  rmSync(draft)
}
