// Runs calls in the background for other processes to follow, cancel, or find left behind.
import { createInterface } from 'node:readline'
import { createCrib, defineTool, sqliteStore } from '../../../lib/index.js'

const [, , path, name] = process.argv
let step
const steps = []
const nextStep = () =>
  new Promise((resolve) => (steps.length > 0 ? resolve(steps.shift()) : (step = resolve)))
const crib = await createCrib({
  store: sqliteStore({ path, pollMs: 5 }),
  decider: ({ toolId }) => ({ behavior: toolId.endsWith('ask') ? 'ask' : 'allow' }),
  reviewers: ['ann'],
  maxProgressPerSecond: Infinity,
  cancelGraceMs: 20,
  tools: ['count', 'ask'].map((each) =>
    defineTool({
      name: each,
      description: 'Says a number for each line that it is sent, until it is sent "end".',
      isOpenWorld: false,
      supports: ['progress', 'cancel'],
      async execute(_input, { progress, signal }) {
        const aborted = new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
        for (let count = 1; ; count++) {
          const said = await Promise.race([nextStep(), aborted])
          if (said === 'end') return { count: count - 1 }
          progress({ message: said, line_count: count })
        }
      },
    }),
  ),
})
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  if (step) step(line)
  else steps.push(line)
  step = undefined
})
const surface = await crib.surface({ scope: 'turn' })
const receipt = await crib.call(surface, { name, runInBackground: true })
console.log(`receipt ${JSON.stringify(receipt)};`)
const result = await crib.task(receipt.invocation_id).result()
console.log(`result ${JSON.stringify(result)};`)
await crib.close()
lines.close()
