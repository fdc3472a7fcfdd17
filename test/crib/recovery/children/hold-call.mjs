// Starts one call of a writing tool and keeps it running until it is told to let it end.
import { createInterface } from 'node:readline'
import { createCrib, defineTool, sqliteStore } from '../../../../lib/index.js'

const [, , path] = process.argv
let release
const released = new Promise((resolve) => (release = resolve))
const crib = await createCrib({
  store: sqliteStore({ path }),
  decider: () => ({ behavior: 'allow' }),
  tools: [
    defineTool({
      name: 'hold',
      description: 'Runs until it is let go.',
      execute: async (_input, { invocationId }) => {
        console.log(`running ${invocationId}`)
        await released
        return 'held to the end'
      },
    }),
  ],
})
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => line === 'release' && release())
const surface = await crib.surface({ scope: 'turn' })
const result = await crib.call(surface, { name: 'hold' })
console.log(`result ${JSON.stringify(result)}`)
await crib.close()
lines.close()
