import { isCallLost } from './call-lost.js'
import type { ExitCode } from './command.js'
import { printable } from '../../../platform/text/printable.js'
import { isUsageProblem } from './usage-problem.js'
import type { Terminal } from '../terminal/terminal.js'

/** An error of a command, as a sentence and an exit code. */
export async function describeCrash(error: unknown, terminal: Terminal): Promise<ExitCode> {
  if (isCommanderError(error)) return error.exitCode === 0 ? 0 : 2
  if (isUsageProblem(error)) {
    terminal.explain(printable(error.message))
    return 2
  }
  if (isCallLost(error)) {
    terminal.explain(printable(error.message))
    return 1
  }
  const { isStoreError } = await import('../../../storage/store-error.js')
  const { isBlobError } = await import('../../../storage/blobs/blob-error.js')
  const { isBackupError } = await import('../../../host/backups/backup-error.js')
  if (isStoreError(error) || isBlobError(error) || isBackupError(error)) {
    terminal.explain(printable(error.message))
    return 2
  }
  if (isSystemError(error)) {
    terminal.explain(
      printable(`${error.message.replace(/\.$/, '')}; see that this user may read and write there.`),
    )
    return 2
  }
  // An unexpected error is a bug: the report needs the stack.
  terminal.say(printable(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  return 2
}

/** An error of the file system: no bug, and the stack would not help. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

/** Commander has printed its message already. */
function isCommanderError(error: unknown): error is Error & { exitCode: number } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.')
}
