// Counting old calls: how long 100,000 calls of a SQLite store take to count in the background, how long the event loop
// is held meanwhile, what a restart costs, and what a question costs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { createCrib, defineTool, sqliteStore } from 'toolcrib'

const CALLS = Number(process.env.CALLS ?? 100_000)
const TOOLS = 20
const DAYS = 30
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
const path = join(folder, 'crib.db')

let now = Date.now() - DAYS * 86_400_000
const stepMs = Math.floor((DAYS * 86_400_000) / CALLS)
const tools = Array.from({ length: TOOLS }, (_, index) =>
  defineTool({
    name: `tool_${index}`,
    description: 'Looks something up.',
    input: z.object({ number: z.number() }),
    isReadOnly: true,
    isConcurrencySafe: true,
    isOpenWorld: false,
    async execute({ number }) {
      now += (number * 7919) % 400
      if (number % 50 === 0) throw new Error('It failed.')
      return { number, text: 'A result of a usual length, as a look-up tool would return it. '.repeat(4) }
    },
  }),
)
const open = (clock) => createCrib({ store: sqliteStore({ path }), tools, ...(clock && { clock }) })

const writing = await open(() => now)
const surface = await writing.surface()
for (let number = 1; number <= CALLS; number++) {
  now += stepMs - 200
  await writing.call(surface, { name: `tool_${number % TOOLS}`, input: { number } })
  if (number % 2000 === 0) await writing.flush()
}
await writing.close()

const crib = await open()
const range = { since: Date.now() - (DAYS + 1) * 86_400_000 }
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const cpu = process.cpuUsage()
const startedAt = performance.now()
let turns = 0
let first
for (;;) {
  const { is_complete: isComplete, totals } = await crib.statistics({ ...range, waitMs: 0 })
  first ??= performance.now() - startedAt
  if (isComplete) {
    if (totals.calls !== CALLS) throw new Error(`${totals.calls} calls were counted, of ${CALLS}`)
    break
  }
  turns++
  await sleep(20)
}
const took = performance.now() - startedAt
const { user, system } = process.cpuUsage(cpu)
delay.disable()
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
console.log(`${CALLS} calls of ${TOOLS} tools over ${DAYS} days, in SQLite`)
console.log(`first answer (is_complete: false)     ${ms(first)}`)
console.log(`all counted after                     ${ms(took)}, ${turns} answers before that`)
console.log(`CPU                                   ${((user + system) / CALLS).toFixed(1)} µs per call`)
console.log(`event loop held: 99%, longest         ${ms(delay.percentile(99) / 1e6)}, ${ms(delay.max / 1e6)}`)
const again = performance.now()
for (let n = 0; n < 20; n++) await crib.statistics(range)
console.log(`a question about ${DAYS + 1} days              ${ms((performance.now() - again) / 20)}`)
await crib.close()

const { documents } = await (async () => {
  const store = sqliteStore({ path })
  await store.open()
  const page = await store.listDocuments({ tenant: 'default', kind: 'statistics', limit: 10_000 })
  await store.close()
  return page
})()
console.log(
  `stored                                ${documents.length} documents, ${Math.round(JSON.stringify(documents).length / 1024)} KB`,
)
const restarted = await open()
delay.reset()
delay.enable()
const restartAt = performance.now()
const { is_complete: isComplete } = await restarted.statistics(range)
console.log(
  `first answer after a restart          ${ms(performance.now() - restartAt)}, is_complete: ${isComplete}`,
)
delay.disable()
console.log(`event loop held meanwhile, longest     ${ms(delay.max / 1e6)}`)
await restarted.close()
rmSync(folder, { recursive: true, force: true })
