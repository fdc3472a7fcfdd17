// A gateway over standard input and output, for clients in other processes. Settings come as JSON in the first argument.
import { createCrib, defineTool, memoryStore, sqliteStore, toolOutput } from '../../../../dist/index.js'
import { createGateway } from '../../../../dist/edges/mcp/create-gateway.js'
import { serveStdio } from '../../../../dist/edges/mcp/stdio/serve-stdio.js'
import { createMcpServers } from '../../../../dist/sources/mcp/create-mcp-servers.js'

const {
  servers: settings = {},
  names = 'server',
  path,
  permission,
  reviewers,
  surfaces,
} = JSON.parse(process.argv[2] ?? '{}')

const reads = { isReadOnly: true, isOpenWorld: false }
const tools = [
  defineTool({
    name: 'add',
    namespace: 'sums',
    description: 'Adds two numbers.',
    ...reads,
    input: {
      jsonSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
    },
    execute: ({ a, b }) => {
      // Would break the protocol if it were written to standard output.
      console.log('adding')
      return { sum: a + b }
    },
  }),
  defineTool({
    name: 'write',
    namespace: 'notes',
    description: 'Writes a note.',
    input: { jsonSchema: { type: 'object', properties: { text: { type: 'string' } } } },
    execute: ({ text }) => `wrote ${text}`,
  }),
  defineTool({
    name: 'long',
    namespace: 'notes',
    description: 'Says much.',
    ...reads,
    execute: () => toolOutput({ content: [{ type: 'text', text: 'line of text\n'.repeat(30_000) }] }),
  }),
  defineTool({
    name: 'steps',
    namespace: 'notes',
    description: 'Tells how far it is.',
    ...reads,
    async execute(_input, context) {
      for (let step = 1; step <= 3; step++) context.progress({ percent: step * 33 })
      return 'done'
    },
  }),
]

const servers = createMcpServers(settings)
const crib = await createCrib({
  store: path === undefined ? memoryStore() : sqliteStore({ path }),
  tools,
  sources: servers.sources,
  ...(permission && { permission }),
  ...(reviewers && { reviewers }),
})
const gateway = createGateway({
  crib,
  servers,
  surfaces: surfaces ?? { default: {} },
  names,
  info: { name: 'gateway', version: '1.0.0' },
  ...(!reviewers && { personBehind: () => ({ name: 'person:ann', mayChangeRules: true }) }),
})
const server = serveStdio({ gateway, caller: { actor: 'ann' } })
await server.closed
await gateway.close()
await crib.close()
await servers.close()
