// One call of a tool that writes; its executor leaves a marker file.
import { writeFileSync } from 'node:fs'
import { createCrib, defineTool, sqliteStore } from '../../../lib/index.js'

const [, , path, marker] = process.argv
const crib = await createCrib({
  store: sqliteStore({ path }),
  tools: [
    defineTool({
      name: 'mark',
      description: 'Leaves a marker.',
      execute: () => writeFileSync(marker, 'done'),
    }),
  ],
  decider: () => ({ behavior: 'allow' }),
})
const surface = await crib.surface({ scope: 'turn' })
await crib.flush()
// A line in the trace that says where the call begins.
writeFileSync(`${marker}.begin`, '')
const result = await crib.call(surface, { name: 'mark' })
writeFileSync(`${marker}.end`, '')
await crib.close()
console.log(result.status)
