import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for one test; `remove` takes it away with all that is in it. */
export function temporaryFolder(): { folder: string; path(name: string): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-test-'))
  return {
    folder,
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
