// Several calls at once: reads together, the write alone, and what depends on it after it.
import assert from 'node:assert/strict'
import { createCrib, defineTool, memoryStore } from 'toolcrib'

const shelf = new Map([
  ['a.txt', 'one'],
  ['b.txt', 'two'],
])
const order = []
const path = { jsonSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } }

const read = defineTool({
  namespace: 'shelf',
  name: 'read',
  description: 'Read one file of the shelf.',
  input: path,
  isReadOnly: true,
  isConcurrencySafe: true,
  isOpenWorld: false,
  async execute({ path: name }, { progress }) {
    order.push(`read ${name}`)
    progress({ message: `reading ${name}`, percent: 50 })
    await new Promise((resolve) => setTimeout(resolve, 5))
    return { text: shelf.get(name) ?? null }
  },
})

const write = defineTool({
  namespace: 'shelf',
  name: 'write',
  description: 'Write one file of the shelf.',
  input: {
    jsonSchema: { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } } },
  },
  isReadOnly: false,
  isOpenWorld: false,
  async execute({ path: name, text }) {
    order.push(`write ${name}`)
    shelf.set(name, text)
    return { written: text.length }
  },
})

const crib = await createCrib({
  tools: [read, write],
  store: memoryStore(),
  permission: { allow: ['shelf.*'] },
})
const surface = await crib.surface({ scope: 'turn', session: 'example' })

const batch = crib.batch(surface, [
  { name: 'shelf.read', input: { path: 'a.txt' } },
  { name: 'shelf.read', input: { path: 'b.txt' } },
  { name: 'shelf.write', id: 'change', input: { path: 'a.txt', text: 'three' } },
  { name: 'shelf.read', input: { path: 'a.txt' }, dependsOn: ['change'] },
])
for await (const item of batch) {
  if (item.kind === 'result') console.log(item.index, item.result.status, item.result.structured_content)
}
const results = await batch
assert.deepEqual(
  results.map(({ structured_content: content }) => content),
  [{ text: 'one' }, { text: 'two' }, { written: 5 }, { text: 'three' }],
)
assert.deepEqual(order, ['read a.txt', 'read b.txt', 'write a.txt', 'read a.txt'])
assert.equal((await crib.invocation(batch.calls[3].invocationId)).scheduler.state, 'yielded')
await crib.close()
