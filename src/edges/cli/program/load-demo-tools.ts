import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCrib } from '../../../crib/create-crib.js'
import type { Crib, CribOptions } from '../../../crib/crib.js'
import { ownPackage } from '../../../platform/files/own-package.js'
import { importModule } from '../../../platform/modules/import-module.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import { usageProblem } from './usage-problem.js'

const WORKSHOP = join(ownPackage(), 'examples/workshop/tools.mjs')

export interface DemoTools {
  crib: Crib
  /** The folder of relative paths. It is removed, with the record, when the demo is closed. */
  folder: string
  close(): Promise<void>
}

/** The crib of the demo: real tools, a real pipeline and a real store, all of them temporary. */
export async function loadDemoTools(options: CribOptions): Promise<DemoTools> {
  const imported = await importModule(WORKSHOP)
  if (!imported.ok) throw usageProblem(`The tools of the demo cannot be loaded: ${imported.problem.message}.`)
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-demo-'))
  const crib = await createCrib({
    ...options,
    tools: imported.exports['default'] as readonly ToolDraft[],
    store: { kind: 'sqlite', path: join(folder, 'crib.db') },
    workspace: folder,
    // A temporary record needs no stored key.
    sealKey: randomBytes(32),
  })
  return {
    crib,
    folder,
    async close() {
      await crib.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
