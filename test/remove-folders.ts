import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Removes the folders of all tests after the run: files that share a process cannot each remove their own. */
export default function setup({ config }: TestProject): () => void {
  const folders = config.env['TOOLCRIB_TEST_FOLDERS'] as string
  return () => rmSync(dirname(folders), { recursive: true, force: true })
}
