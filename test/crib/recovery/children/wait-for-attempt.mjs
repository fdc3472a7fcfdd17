// Starts a call whose first attempt fails and that then waits an hour for its second, until the process is killed.
import { createCrib, defineTool, sqliteStore } from '../../../../lib/index.js'

const [, , path] = process.argv
const crib = await createCrib({
  store: sqliteStore({ path }),
  decider: () => ({ behavior: 'allow' }),
  tools: [
    defineTool({
      name: 'again',
      description: 'Fails, and may be tried again.',
      isIdempotent: true,
      retries: { max: 3, baseMs: 3_600_000, maxMs: 3_600_000 },
      execute: () => {
        throw new Error('not yet')
      },
    }),
  ],
})
const surface = await crib.surface({ scope: 'turn' })
const call = crib.call(surface, { name: 'again' })
for await (const { event_type: type } of call) {
  if (type !== 'tool.invocation.queued') continue
  await crib.flush()
  console.log(`waiting ${call.invocationId}`)
}
