import { errorMessage } from '../../platform/text/error-message.js'
import { isStoreError, storeError, type StoreError } from '../store-error.js'

/** A failure of SQLite or of the file system under it, as one sentence that says what to do. */
export function sqliteFailure(error: unknown, path: string): StoreError {
  if (isStoreError(error)) return error
  const message = errorMessage(error)
  const code = primaryCode(error)
  if (code === 26 || /not a database|malformed/i.test(message)) {
    return storeError(
      'toolcrib.store_not_a_database',
      `${path} is not a SQLite database; move it away or give the store another path.`,
      error,
    )
  }
  if (code === 13 || /full|ENOSPC/i.test(message)) {
    return storeError(
      'toolcrib.store_full',
      `The disk that holds ${path} is full; free some space, then go on: nothing that was recorded is lost.`,
      error,
    )
  }
  if (code === 8 || code === 3 || /readonly|EACCES|EROFS|EPERM/i.test(message)) {
    return storeError(
      'toolcrib.store_read_only',
      `${path} cannot be written; give this user write access to the file and its folder.`,
      error,
    )
  }
  if (code === 14 || /unable to open|ENOENT|ENOTDIR|EISDIR/i.test(message)) {
    return storeError(
      'toolcrib.store_unreachable',
      `${path} cannot be opened; name a file in a folder that this user may write to.`,
      error,
    )
  }
  return storeError('toolcrib.store_failed', `The store ${path} failed: ${message}.`, error)
}

/** Another connection holds the file for a moment. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error)
  return code === 5 || code === 6
}

export function isFull(error: unknown): boolean {
  return primaryCode(error) === 13
}

// The extended result code carries the primary one in its low byte.
function primaryCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const found: unknown = Reflect.get(error, 'errcode') ?? Reflect.get(error, 'sqliteCode')
  return typeof found === 'number' ? found & 0xff : undefined
}
