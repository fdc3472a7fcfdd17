// Nothing but a wait for another attempt holds this process, and nothing holds it when that wait is over.
import { createCrib, defineTool, memoryStore } from '../../../lib/index.js'

const HOUR_MS = 3_600_000
const tool = (name, retries) =>
  defineTool({
    name,
    description: 'Fails at first.',
    isReadOnly: true,
    isOpenWorld: false,
    retries,
    execute: (_input, { attempt }) => {
      if (attempt === 1) throw new Error('not yet')
      return 'done'
    },
  })
const crib = await createCrib({
  store: memoryStore(),
  tools: [tool('soon', { max: 1, baseMs: 50 }), tool('late', { max: 1, baseMs: HOUR_MS, maxMs: HOUR_MS })],
})
const surface = await crib.surface({ scope: 'turn' })
console.log((await crib.call(surface, { name: 'soon' })).status)

const late = crib.call(surface, { name: 'late', timeoutMs: 10 * HOUR_MS })
for await (const { event_type: type } of late) if (type === 'tool.invocation.queued') late.cancel()
console.log((await late).status)
await crib.close()
