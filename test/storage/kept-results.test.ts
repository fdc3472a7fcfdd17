import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCrib, defineTool, memoryStore } from 'toolcrib'
import { createRedactor } from '../../src/redaction/redactor.js'

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
  // More than a store looks at when it puts calls together.
  const names = Array.from({ length: 20 }, (_, index) => `give_${index}`)
  const tools = names.map((name) => defineTool({ ...plain, name, execute: () => value }))
  const crib = await createCrib({ tools, store: memoryStore() })
  const surface = await crib.surface()
  const one = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
    // Also longer than what is kept as bytes, and beyond what a byte holds.
    fc.string({ maxLength: 140 }),
    fc.string({ unit: 'binary', maxLength: 90 }),
    fc.boolean(),
    fc.constant(null),
  )
  // Few names, so that some records have the same members as others.
  const record = fc.dictionary(fc.constantFrom('a', 'b', '1', '0', '__proto__'), fc.oneof(one, fc.json()))
  const output = fc.oneof(record, one, fc.date({ noInvalidDate: true }), fc.array(one, { maxLength: 9 }))
  const name = fc.oneof(fc.constantFrom(...names.slice(0, 2)), fc.constantFrom(...names))
  const calls = fc.array(fc.tuple(name, record, output), { maxLength: 400, size: 'max' })
  const redactor = createRedactor({ patterns: true })
  await fc.assert(
    fc.asyncProperty(calls, async (some) => {
      const made = []
      for (const [name, input, given] of some) {
        value = given
        const call = crib.call(surface, { name, input })
        // Some of so many texts look like a password with its name.
        const shown = JSON.stringify(redactor.value(input))
        made.push({ id: call.invocationId, input: shown, result: JSON.stringify(await call) })
      }
      const ids = made.map(({ id }) => id)
      const listed = []
      for await (const { invocation_id: id } of crib.invocations()) if (ids.includes(id)) listed.push(id)
      expect(listed).toEqual(ids)
      for (const { id, input, result } of made) {
        const kept = await crib.result(id)
        expect(JSON.stringify(kept)).toBe(result)
        for await (const event of crib.events({ invocation: id })) {
          const { model_input: sent } = event.data ?? {}
          if (sent !== undefined) expect(JSON.stringify(sent)).toBe(input)
        }
      }
    }),
    // Looking for the smallest of hundreds of calls that fail would take hours.
    { numRuns: 10, endOnFailure: true },
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
