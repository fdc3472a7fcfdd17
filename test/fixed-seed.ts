// Random inputs are the same in each run, so that a run can be repeated. SEED=2 npm test -- <file> tries others.
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

// Only where it is used: loading the library takes longer than most files do.
if (readFileSync(expect.getState().testPath!, 'utf8').includes("'fast-check'")) {
  const { configureGlobal } = await import('fast-check')
  configureGlobal({ seed: Number(process.env['SEED'] ?? 1) })
}
