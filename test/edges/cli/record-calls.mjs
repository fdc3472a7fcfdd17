// Records calls in a store: node record-calls.mjs <file> <count> [days ago] [tenant] [deleted]. In a process of its own, for a process that
// has run tools may neither delete nor restore records.
import { createCrib, defineTool, sqliteStore } from 'toolcrib'

const [path, count, daysAgo = '0', tenant = 'default', deleted] = process.argv.slice(2)
const say = defineTool({
  name: 'say',
  description: 'Says.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: () => 'said '.repeat(50),
})
const crib = await createCrib({
  store: sqliteStore({ path }),
  tools: [say],
  tenant,
  clock: () => Date.now() - Number(daysAgo) * 86_400_000,
})
const surface = await crib.surface({ session: 'many' })
for (let index = 0; index < Number(count); index++) {
  const call = crib.call(surface, { name: 'say' })
  await call
  if (index === 0) console.log(call.invocationId)
}
if (deleted) await crib.deleteRecords({ session: 'many', by: 'ann' })
await crib.close()
