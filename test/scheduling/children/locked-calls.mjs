// Makes calls of a tool that holds a lock, and writes down when each began and ended, in one file for all processes.
import { appendFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { createCrib, defineTool, sqliteStore } from 'toolcrib'

const { path, log, name, calls } = JSON.parse(process.argv[2])
const crib = await createCrib({
  store: sqliteStore({ path, pollMs: 5 }),
  decider: () => ({ behavior: 'allow' }),
  // A slot for one, counted over all processes.
  limits: [{ by: 'tool', of: 'local.single', concurrent: 1 }],
  tools: ['locked', 'single'].map((each) =>
    defineTool({
      name: each,
      description: 'Notes when it began and ended.',
      isReadOnly: true,
      isOpenWorld: false,
      ...(each === 'locked' && { locks: [{ key: 'db:orders', access: 'write' }] }),
      async execute() {
        appendFileSync(log, `${each} + ${name}\n`)
        for (let left = 3; left > 0; left--) await turn()
        appendFileSync(log, `${each} - ${name}\n`)
      },
    }),
  ),
})
const surface = await crib.surface({ scope: 'turn', session: name })
for (let left = calls; left > 0; left--) {
  const both = await Promise.all(
    ['locked', 'locked', 'single', 'single'].map((each) => crib.call(surface, { name: each })),
  )
  const wrong = both.find(({ status }) => status !== 'succeeded')
  if (wrong) throw new Error(JSON.stringify(wrong.error))
}
await crib.close()
