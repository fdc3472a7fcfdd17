import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'

const folders: string[] = []

// Here and not in the function: a hook that is set within a running test would never be called.
afterAll(() => folders.splice(0).forEach((path) => rmSync(path, { recursive: true, force: true })))

/** A folder that goes away after the test file, with files written into it by relative name. */
export function temporaryFolder(): { path: string; write(name: string, text: string): string } {
  // The real path, because macOS's temporary folder is a link and paths are compared.
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'toolcrib-config-')))
  folders.push(path)
  return {
    path,
    write(name, text) {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
  }
}
