import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../../platform/files/replace-file.js'
import { compileResults } from '../compile/compile-folder.js'
import type { FileProblem } from '../compiled.js'
import { LOCK_FILE, toLock, toLockText } from './lock-file.js'

export interface WrittenLock {
  /** False where the file was as it should be, or where errors kept it from being written. */
  readonly isWritten: boolean
  /** Errors; a state with errors is not published. */
  readonly problems: readonly FileProblem[]
}

/**
 * Publishes the current state of a folder: writes its `toolcrib.lock`. With `force` also where the state breaks what was
 * published before.
 */
export async function writeLock(
  folder: string,
  { force = false }: { force?: boolean } = {},
): Promise<WrittenLock> {
  const { tools, agents, problems } = await compileResults(folder, { lock: !force })
  const errors = problems.filter(({ level }) => level === 'error')
  if (errors.length > 0) return { isWritten: false, problems: errors }
  const path = join(folder, LOCK_FILE)
  const text = toLockText(toLock(tools, agents))
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before === text) return { isWritten: false, problems: [] }
  replaceFile(path, text, { mode: 0o644 })
  return { isWritten: true, problems: [] }
}
