// Many calls into one file while old records, and then their envelopes, are deleted as a gateway deletes them: the memory
// of the process and the size of the file must not grow.
//
//   CALLS=10000000 KEEP=1000000 node --expose-gc bench/retention.mjs
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCrib, defineTool, sqliteStore } from 'toolcrib'

const CALLS = Number(process.env.CALLS ?? 10_000_000)
/** So many calls keep their records, and as many deleted ones their envelopes. */
const KEEP = Number(process.env.KEEP ?? 1_000_000)
const STEP = KEEP / 10
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
const path = join(folder, 'crib.db')
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: ({ a, b }) => ({ sum: a + b }),
})

const samples = []
const total = { calling: 0, deleting: 0, deleted: 0 }

try {
  // One millisecond for each call: as many are kept in every run, however long it takes.
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
    const envelopes = await crib.deleteEnvelopes({ before: now - KEEP, by: 'bench' })
    const deleting = performance.now() - start
    globalThis.gc?.()
    const { heapUsed: heap, rss } = process.memoryUsage()
    const file = sizeOf(path) + sizeOf(`${path}-wal`)
    samples.push({ heap, file })
    total.calling += calling
    if (deleted > 0) total.deleting += deleting
    total.deleted += deleted
    console.log(
      `${index} calls: ${((calling * 1000) / STEP).toFixed(1)} µs each, ${deleted} deleted and ${envelopes.deleted} envelopes in ${(deleting / 1000).toFixed(1)} s; heap ${megabytes(heap)}, memory ${megabytes(rss)}, file ${megabytes(file)}`,
    )
    start = performance.now()
  }
  await crib.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const mean = (of, name) => of.reduce((sum, sample) => sum + sample[name], 0) / of.length
const half = samples.slice(samples.length / 2)
/** The last quarter of the run against the one before. */
const growthOf = (name) =>
  mean(half.slice(half.length / 2), name) / mean(half.slice(0, half.length / 2), name)

const call = (total.calling * 1000) / CALLS
const deletion = (total.deleting * 1000) / total.deleted
console.log(
  `\nA call took ${call.toFixed(1)} µs, and deleting it with its envelope ${deletion.toFixed(1)} µs, ${(deletion / call).toFixed(1)} times as long.\n`,
)
const bounds = [
  ['heap, last quarter of the run against the third', growthOf('heap'), 1.05],
  ['file, last quarter of the run against the third', growthOf('file'), 1.02],
]
for (const [name, value, most] of bounds)
  console.log(`${value <= most ? '✓' : '✗'} ${name}: ${value.toFixed(3)}, at most ${most}`)
