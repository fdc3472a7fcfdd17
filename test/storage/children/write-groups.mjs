// Writes groups of calls and events into one file, together with other processes that do the same.
import { sqliteStore } from '../../../dist/index.js'
import { toEventList } from '../../../dist/storage/event-list.js'

const [, , path, name, groups] = process.argv
const store = sqliteStore({ path })
await store.open()
const events = (count) =>
  toEventList(
    Array.from({ length: count }, (_, n) => ({ type: 'tool.invocation.progress', at: n, data: { n } })),
    0,
  )
const row = (id, revision) => ({
  tenant: 'default',
  invocationId: id,
  toolId: 'local.x',
  surfaceId: 's',
  status: 'running',
  createdAt: 0,
  revision,
})
let sequence = 0
let conflicts = 0
for (let n = 0; n < Number(groups); n++) {
  const id = `${name}_${n}`
  const count = 1 + (n % 4)
  const outcome = store.write({
    calls: [
      { row: row(id, 1), firstSequence: 1, events: events(count) },
      ...(n > 0
        ? [{ row: row(`${name}_${n - 1}`, 2), firstSequence: 2 + ((n - 1) % 4), events: events(2) }]
        : []),
    ],
    chunks: [
      {
        tenant: 'default',
        stream: `${name}_stream`,
        firstSequence: sequence + 1,
        baseTime: 0,
        events: events(2),
      },
    ],
  })
  sequence += 2
  conflicts += outcome.conflictingCalls.length
  if (n % 10 === 0) await new Promise(setImmediate)
}
await store.sync()
await store.close()
console.log(JSON.stringify({ conflicts }))
