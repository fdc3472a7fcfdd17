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
    // Its JSON is a text, and so is its structure.
    fc.date({ noInvalidDate: true }),
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

it('calls that are read together are the same again, to the byte, whatever was sent and returned', async () => {
  let value: unknown
  const give = defineTool({ ...plain, name: 'give', execute: () => value })
  const crib = await createCrib({ tools: [give], store: memoryStore() })
  const surface = await crib.surface()
  const one = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null))
  // Few names, so that some records have the same members as others.
  const record = fc.dictionary(fc.constantFrom('a', 'b', '1', '0', '__proto__'), fc.oneof(one, fc.json()))
  const output = fc.oneof(record, one, fc.date({ noInvalidDate: true }), fc.array(one, { maxLength: 3 }))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(record, output), { maxLength: 300 }), async (calls) => {
      const made = []
      for (const [input, given] of calls) {
        value = given
        const call = crib.call(surface, { name: 'give', input })
        made.push({ id: call.invocationId, input: JSON.stringify(input), result: JSON.stringify(await call) })
      }
      for (const { id, input, result } of made) {
        const kept = await crib.result(id)
        expect(JSON.stringify(kept)).toBe(result)
        for await (const event of crib.events({ invocation: id })) {
          const { model_input: sent } = event.data ?? {}
          if (sent !== undefined) expect(JSON.stringify(sent)).toBe(input)
        }
      }
    }),
    { numRuns: 30 },
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
