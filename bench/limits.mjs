// The cost of checking whether a call may start: slots, checking and ending, for limits that are never reached. Rounds
// are interleaved, so that a noisy machine affects all; figures are medians over rounds.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineTool, memoryStore, sqliteStore } from '../dist/index.js'
import { createRateLimits } from '../dist/scheduling/limits/create-rate-limits.js'
import { createCatalog } from '../dist/catalog/catalog.js'

const ROUNDS = Number(process.env.ROUNDS ?? 20)
const WARM_UP = 3
const MANY = 1_000_000_000

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
const catalog = createCatalog()
catalog.add('function', [
  defineTool({ namespace: 'math', name: 'add', description: 'Add two numbers.', execute: () => 3 }),
])
const tool = catalog.get('math.add')

const byTool = { limits: [{ by: 'tool', perMinute: MANY }] }
const everything = {
  limits: [
    { by: 'tool', of: 'math.*', perMinute: MANY, concurrent: MANY },
    { by: ['tool', 'actor'], perMinute: MANY },
    { by: 'tenant', perRun: MANY },
  ],
  breaker: {},
}
const candidates = [
  {
    name: 'limits on other tools, memory',
    calls: 100_000,
    given: { limits: [{ by: 'tool', of: 'x.*', perMinute: 1 }] },
  },
  { name: 'a breaker, memory', calls: 100_000, given: { breaker: {} } },
  { name: 'a minute by tool, memory', calls: 100_000, given: byTool },
  { name: 'all kinds at once, memory', calls: 20_000, given: everything },
  { name: 'a minute by tool, SQLite', calls: 1_000, given: byTool, isKept: true },
  { name: 'all kinds at once, SQLite', calls: 500, given: everything, isKept: true },
]

const times = candidates.map(() => [])
for (let round = -WARM_UP; round < ROUNDS; round++) {
  for (const [index, { calls, given, isKept }] of candidates.entries()) {
    const store = isKept ? sqliteStore({ path: join(folder, `${index}.db`) }) : memoryStore()
    await store.open()
    const rateLimits = createRateLimits({ ...given, store, now: Date.now, find: catalog.find })
    const start = performance.now()
    for (let n = 0; n < calls; n++) {
      const row = {
        tenant: 'default',
        actor: 'agent',
        session: 's',
        surfaceId: 'surface',
        toolId: tool.toolId,
      }
      const call = { tool, row, cancelReason: undefined }
      if (!rateLimits.concerns(call)) continue
      rateLimits.slots(call)
      const answer = rateLimits.ask(call)
      const refused = answer instanceof Promise ? await answer : answer
      if (refused) throw new Error('a call was not admitted')
      rateLimits.ended(call, { hasRun: true, error: undefined })
    }
    if (round >= 0) times[index].push(((performance.now() - start) * 1000) / calls)
    await store.close()
  }
}
rmSync(folder, { recursive: true, force: true })

console.log(`One call, median of ${ROUNDS} interleaved rounds, Node ${process.versions.node}`)
for (const [index, { name }] of candidates.entries()) {
  const median = times[index].toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]
  console.log(`${name.padEnd(32)}${median.toFixed(2).padStart(10)} µs`)
}
