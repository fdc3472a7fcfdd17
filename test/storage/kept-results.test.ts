import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCrib, defineTool, memoryStore } from 'toolcrib'

const plain = { isReadOnly: true, isOpenWorld: false, description: 'Gives a value back.' }

it('a store in memory keeps of a result what makes it the same again, to the byte', async () => {
  let value: unknown
  const give = defineTool({ ...plain, name: 'give', execute: () => value })
  const crib = await createCrib({ tools: [give], store: memoryStore() })
  const surface = await crib.surface()
  const output = fc.oneof(
    fc.json().map((text) => JSON.parse(text) as unknown),
    fc.string(),
    fc.anything(),
  )
  await fc.assert(
    fc.asyncProperty(output, async (given) => {
      value = given
      const call = crib.call(surface, { name: 'give', input: { given: 1 } })
      const result = await call
      const before = JSON.stringify(result)
      const kept = await crib.result(call.invocationId)
      expect(JSON.stringify(kept)).toBe(before)
      const events = []
      for await (const event of crib.events({ invocation: call.invocationId })) events.push(event)
      const created = events.find(({ event_type: type }) => type === 'tool.result.created')
      expect(JSON.stringify(created?.data?.['result'])).toBe(before)
    }),
    { numRuns: 100 },
  )
  await crib.close()
})

it('a caller that changes its result changes no record', async () => {
  const add = defineTool({ ...plain, name: 'add', execute: () => ({ sum: 3 }) })
  const crib = await createCrib({ tools: [add], store: memoryStore() })
  const surface = await crib.surface()
  const result = await crib.call(surface, { name: 'add' })
  const before = JSON.stringify(result)
  const { structured_content: structured } = result as { structured_content: { sum: number } }
  expect(() => (structured.sum = 4)).toThrow(TypeError)
  result.content![0]!.text = 'changed'
  result.status = 'failed'
  const kept = await crib.result(result.invocation_id)
  expect(JSON.stringify(kept)).toBe(before)
  await crib.close()
})
