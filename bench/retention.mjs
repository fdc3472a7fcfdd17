// Many calls into one file while old records are deleted: the memory of the process and the size of the file over time.
//
//   CALLS=10000000 KEEP=1000000 node --expose-gc bench/retention.mjs
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCrib, defineTool, sqliteStore } from 'toolcrib'

const CALLS = Number(process.env.CALLS ?? 10_000_000)
const KEEP = Number(process.env.KEEP ?? 1_000_000)
const STEP = KEEP / 10
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
const path = join(folder, 'crib.db')
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: ({ a, b }) => ({ sum: a + b }),
})

try {
  let now = Date.now() - CALLS
  const crib = await createCrib({ store: sqliteStore({ path }), tools: [add], clock: () => now })
  const surface = await crib.surface({ scope: 'session', session: 's' })
  let start = performance.now()
  for (let index = 1; index <= CALLS; index++) {
    await crib.call(surface, { name: 'add', input: { a: 1, b: index } })
    now++
    if (index % 100 === 0) await new Promise(setImmediate)
    if (index % STEP !== 0) continue
    const calling = performance.now() - start
    start = performance.now()
    const { deleted } = await crib.deleteRecords({ before: now - KEEP, by: 'bench' })
    const deleting = performance.now() - start
    globalThis.gc?.()
    const { heapUsed, rss } = process.memoryUsage()
    console.log(
      `${index} calls: ${((calling * 1000) / STEP).toFixed(1)} µs each, ${deleted} deleted in ${(deleting / 1000).toFixed(1)} s; heap ${megabytes(heapUsed)}, memory ${megabytes(rss)}, file ${megabytes(statSync(path).size)}`,
    )
    start = performance.now()
  }
  await crib.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
