import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The path of a new folder, which is removed after the run (test/remove-folders.ts). */
export function temporaryFolder(): string {
  // The real path, because macOS's temporary folder is a link and paths are compared.
  return realpathSync(mkdtempSync(join(process.env['TOOLCRIB_TEST_FOLDERS'] ?? tmpdir(), 'test-')))
}

export interface TemporaryFolder {
  readonly path: string
  /** The path of a file in the folder. */
  file(name: string): string
  /** Writes a file in the folder, and returns its path. */
  write(name: string, text: string): string
  /** Removes the folder now, for a test that needs the disk space or opens many. */
  remove(): void
}

/** The same, with functions for its files. */
export function openTemporaryFolder(): TemporaryFolder {
  const path = temporaryFolder()
  const file = (name: string): string => join(path, name)
  return {
    path,
    file,
    write(name, text) {
      mkdirSync(dirname(file(name)), { recursive: true })
      writeFileSync(file(name), text)
      return file(name)
    },
    remove: () => remove(path),
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
