// What a hook adds to a call: none configured, one for other tools, a function, an endpoint, a program. Rounds are
// interleaved, so that a noisy machine affects all; figures are medians over rounds.
import { createServer } from 'node:http'
import { commandHook, createCrib, defineHook, defineTool, httpHook, memoryStore } from 'toolcrib'

const ROUNDS = Number(process.env.ROUNDS ?? 20)
const WARM_UP = 3

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end())
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}/`

const event = 'pre_tool_use'
const candidates = [
  { name: 'no hook', calls: 2000, hooks: [] },
  {
    name: 'a hook for other tools',
    calls: 2000,
    hooks: [defineHook({ id: 'h', event, tools: ['mail.*'], run: () => {} })],
  },
  { name: 'a function', calls: 2000, hooks: [defineHook({ id: 'h', event, run: () => {} })] },
  { name: 'an endpoint (loopback)', calls: 50, hooks: [httpHook({ id: 'h', event, url })] },
  { name: 'a program (true)', calls: 20, hooks: [commandHook({ id: 'h', event, command: 'true' })] },
]

const add = defineTool({
  namespace: 'math',
  name: 'add',
  description: 'Add two numbers.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: async ({ a, b }) => ({ sum: a + b }),
})

const times = candidates.map(() => [])
for (let round = -WARM_UP; round < ROUNDS; round++) {
  for (const [index, { calls, hooks }] of candidates.entries()) {
    const crib = await createCrib({ tools: [add], hooks, store: memoryStore() })
    const surface = await crib.surface({ scope: 'session' })
    const start = performance.now()
    for (let n = 0; n < calls; n++) {
      const { status } = await crib.call(surface, { name: 'math.add', input: { a: n, b: 1 } })
      if (status !== 'succeeded') throw new Error(`a call ended as ${status}`)
    }
    if (round >= 0) times[index].push(((performance.now() - start) * 1000) / calls)
    await crib.close()
  }
}
server.close()

console.log(`One call, median of ${ROUNDS} interleaved rounds, Node ${process.versions.node}`)
for (const [index, { name }] of candidates.entries()) {
  const median = times[index].toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]
  console.log(`${name.padEnd(28)}${median.toFixed(1).padStart(10)} µs`)
}
