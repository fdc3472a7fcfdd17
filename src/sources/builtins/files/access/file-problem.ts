import type { ErrorCode } from '../../../../contract/error-codes.js'
import { oneLine } from '../../../../platform/text/printable.js'

/** Why a file tool did nothing, for programs. */
export type FileProblemReason =
  | 'outside_roots'
  | 'file_not_found'
  | 'file_exists'
  | 'file_changed'
  | 'stale_edit'
  | 'not_a_file'
  | 'not_a_folder'
  | 'not_permitted'
  | 'too_large'
  | 'invalid_range'
  | 'invalid_pattern'
  | 'unsupported_text'
  | 'denied_below'
  | 'not_in_trash'
  | 'system_error'

const CODE: ErrorCode = 'toolcrib.file_refused'

/** The failure of a file tool that changed nothing: other arguments are needed. */
export function fileProblem(reason: FileProblemReason, message: string): Error {
  return Object.assign(new Error(message), {
    errorClass: 'execution_failed',
    code: CODE,
    native: { reason },
    nothingHappened: true,
    needsOtherArguments: true,
  })
}

/** A path in a sentence. */
export function shown(path: string): string {
  const text = oneLine(path)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** A failed system call as one sentence that says what to do. Other errors stay as they are. */
export function systemProblem(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === undefined || (error as { errorClass?: string }).errorClass !== undefined) return error
  const known = SENTENCES[code]
  if (known) return fileProblem(known[0], known[1](shown(path)))
  return /^E[A-Z0-9]+$/.test(code)
    ? fileProblem('system_error', `${shown(path)} cannot be used: the system says ${code}.`)
    : error
}

const SENTENCES: Readonly<Record<string, [FileProblemReason, (path: string) => string]>> = {
  ENOENT: ['file_not_found', (path) => `There is no ${path}; list its folder to see what is there.`],
  ENOTDIR: ['not_a_folder', (path) => `A part of ${path} is a file and not a folder.`],
  EISDIR: ['not_a_file', (path) => `${path} is a folder; list it instead.`],
  EACCES: ['not_permitted', (path) => `The system does not permit access to ${path}.`],
  EPERM: ['not_permitted', (path) => `The system does not permit this with ${path}.`],
  EROFS: ['not_permitted', (path) => `${path} is on a file system that cannot be written.`],
  ELOOP: ['file_changed', (path) => `${path} leads in a circle, or became a link while it was opened.`],
  EEXIST: ['file_exists', (path) => `${path} exists already.`],
  ENOTEMPTY: ['file_exists', (path) => `${path} is a folder that is not empty.`],
  ENAMETOOLONG: ['file_not_found', (path) => `The name ${path} is too long for the system.`],
  ENOSPC: ['system_error', (path) => `The disk is full: ${path} was not written.`],
  ENXIO: ['not_a_file', (path) => `${path} is a device or a socket; only regular files are read.`],
  EAGAIN: ['not_a_file', (path) => `${path} has nothing to read now; only regular files are read.`],
}
