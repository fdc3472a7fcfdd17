// The README's first example: one tool, one call, one result, and the story of it.
import assert from 'node:assert/strict'
import { createCrib, defineTool, memoryStore } from 'toolcrib'

const add = defineTool({
  namespace: 'math',
  name: 'add',
  description: 'Adds two numbers.',
  input: {
    jsonSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  },
  isReadOnly: true,
  isOpenWorld: false,
  execute: ({ a, b }) => ({ sum: a + b }),
})

const crib = await createCrib({ tools: [add], store: memoryStore() })
const surface = await crib.surface({ scope: 'session' })
const result = await crib.call(surface, { name: 'math.add', input: { a: 1, b: 2 } })
const story = await crib.story(result.invocation_id)

console.log(result.structured_content, story.invocation.status)

assert.equal(result.status, 'succeeded')
assert.deepEqual(result.structured_content, { sum: 3 })
assert.equal(story.decisions[0].behavior, 'allow')
await crib.close()
