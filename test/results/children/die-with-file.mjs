// A tool gets a ref as a file, and its process is killed during the call.
import { createCrib, defineTool, memoryStore } from '../../../lib/index.js'

const reads = { isReadOnly: true, isOpenWorld: false }
const crib = await createCrib({
  store: memoryStore(),
  decider: () => ({ behavior: 'allow' }),
  tools: [
    defineTool({ name: 'say', description: 'Says.', ...reads, execute: () => 'private words' }),
    defineTool({
      name: 'use',
      description: 'Uses.',
      ...reads,
      paths: { file: 'read' },
      input: { jsonSchema: { type: 'object', properties: { file: { type: 'string' } } } },
      execute: ({ file }) =>
        new Promise(() => {
          process.stdout.write(`${file}\n`, () => process.kill(process.pid, 'SIGKILL'))
        }),
    }),
  ],
})
const surface = await crib.surface({ scope: 'turn' })
const { invocation_id: id } = await crib.call(surface, { name: 'say' })
await crib.call(surface, { name: 'use', input: { file: `toolcrib://invocations/${id}/output` } })
