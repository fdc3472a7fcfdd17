// Several calls at once of a tool that writes. Each executor leaves a file with the id of its call, and copies the store
// as it is at that moment.
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCrib, defineTool, sqliteStore } from '../../../lib/index.js'

const [, , path, folder, count] = process.argv
const copyOf = (id) => join(folder, `copy-${id}.db`)
const crib = await createCrib({
  store: sqliteStore({ path }),
  tools: [
    defineTool({
      name: 'mark',
      description: 'Leaves a marker.',
      execute: (_input, { invocationId: id }) => {
        writeFileSync(join(folder, `marker-${id}`), 'done')
        copyFileSync(path, copyOf(id))
        copyFileSync(`${path}-wal`, `${copyOf(id)}-wal`)
      },
    }),
  ],
  decider: () => ({ behavior: 'allow' }),
})
const surface = await crib.surface({ scope: 'turn' })
await crib.flush()
const calls = Array.from({ length: Number(count) }, () => crib.call(surface, { name: 'mark' }))
await Promise.all(calls)
await crib.close()

const copied = []
for (const { invocationId: id } of calls) {
  const store = sqliteStore({ path: copyOf(id) })
  const copy = await createCrib({ store, approvals: { claim: false } })
  const types = []
  for await (const { event_type: type } of copy.events({ invocation: id })) types.push(type)
  copied.push({ id, hasStarted: types.includes('tool.invocation.started') })
  await copy.close()
}
console.log(JSON.stringify(copied))
