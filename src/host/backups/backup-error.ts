/** A backup that cannot be made or restored. The message is one sentence that says what to do. */
export interface BackupError extends Error {
  code: 'toolcrib.backup'
}

export function backupError(message: string, cause?: unknown): BackupError {
  return Object.assign(new Error(message, { cause }), { code: 'toolcrib.backup' as const })
}

export function isBackupError(error: unknown): error is BackupError {
  return error instanceof Error && 'code' in error && error.code === 'toolcrib.backup'
}
