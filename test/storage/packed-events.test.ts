import { afterAll, expect, it } from 'vitest'
import { createCrib, defineTool, sqliteStore, type Crib } from 'toolcrib'
import type { ToolEvent } from '../../src/contract/objects/tool-event.js'
import { openDatabase } from '../../src/storage/sqlite/open-database.js'
import { openTemporaryFolder } from '../temporary-folder.js'

const place = openTemporaryFolder()
let files = 0
afterAll(place.remove)

const plain = { isReadOnly: true, isOpenWorld: false }
const tools = [
  defineTool({
    ...plain,
    name: 'say',
    description: 'Gives the text back.',
    execute: (input) => (input as { text: string }).text,
  }),
  defineTool({
    ...plain,
    name: 'add',
    description: 'Adds.',
    execute: (input) => ({ sum: (input as { a: number }).a + 1 }),
  }),
  defineTool({ ...plain, name: 'null', description: 'Nothing.', execute: () => null }),
  defineTool({
    ...plain,
    name: 'slow',
    description: 'Takes longer than other calls, so that its duration is its own.',
    execute: () => new Promise((resolve) => setTimeout(resolve, 20, [1, -0, '\ud800'])),
  }),
  defineTool({
    ...plain,
    name: 'steps',
    description: 'Reports progress.',
    execute: async (_, { progress }) => {
      for (let percent = 0; percent < 100; percent += 4) {
        progress({ percent })
        await new Promise(setImmediate)
      }
      return { content: [{ type: 'text', text: 'done' }], structured: { done: true } }
    },
  }),
  defineTool({
    ...plain,
    name: 'fail',
    description: 'Fails.',
    execute: () => {
      throw new Error('It does not work.')
    },
  }),
  defineTool({
    ...plain,
    name: 'login',
    description: 'Takes a password.',
    input: {
      jsonSchema: { type: 'object', properties: { password: { type: 'string' } } },
      sensitiveFields: ['password'],
    },
    execute: ({ password }) => `token ${String(password)}`,
  }),
  defineTool({ name: 'write', description: 'Writes.', execute: () => 'written' }),
]

const calls: readonly { name: string; input?: unknown }[] = [
  { name: 'say', input: { text: 'hello' } },
  { name: 'say', input: { text: 'x'.repeat(100_000) } },
  { name: 'say', input: { text: `key ${'sk-ant-api03-'}${'Zq8'.repeat(31)}AA` } },
  { name: 'add', input: { a: 1, b: 2, ['__proto__']: 3 } },
  { name: 'add', input: '{"a":1.5e300,"b":-0}' },
  { name: 'null' },
  { name: 'slow' },
  { name: 'steps' },
  { name: 'fail' },
  { name: 'login', input: { password: 'correct horse battery' } },
  { name: 'write' },
  { name: 'unknown', input: { a: 1 } },
  { name: 'add', input: 'no JSON' },
]

async function open(path: string): Promise<Crib> {
  return createCrib({ store: sqliteStore({ path }), tools, decider: () => ({ behavior: 'allow' }) })
}

/** As text: the order of the fields counts too. */
function textOf({ toolcrib, ...event }: ToolEvent): string {
  return JSON.stringify({ ...event, toolcrib: { ...toolcrib, cursor: undefined } })
}

async function storedEvents(crib: Crib, invocation: string): Promise<string[]> {
  const events: string[] = []
  for await (const event of crib.events({ invocation })) events.push(textOf(event))
  return events
}

it.each(calls)('the events of $name are read as they were recorded', async ({ name, input }) => {
  const path = place.file(`${files++}.db`)
  const crib = await open(path)
  const surface = await crib.surface({ scope: 'turn' })
  const call = crib.call(surface, { name, input, nativeCallId: 'native_1' })
  const recorded: string[] = []
  for await (const event of call) recorded.push(textOf(event))
  // Without a reader, a call has the usual order of events.
  const { invocationId } = crib.call(surface, { name, input })
  await crib.flush()
  expect(await storedEvents(crib, call.invocationId)).toEqual(recorded)
  await crib.close()

  const again = await open(path)
  expect(await storedEvents(again, call.invocationId)).toEqual(recorded)
  expect((await storedEvents(again, invocationId)).length).toBeGreaterThan(2)
  await again.close()
})

it('reads what earlier versions have written', async () => {
  const path = place.file(`${files++}.db`)
  const crib = await open(path)
  const surface = await crib.surface({ scope: 'turn' })
  const { invocation_id: id } = await crib.call(surface, { name: 'add', input: { a: 1, b: 2 } })
  await crib.flush()
  const before = await storedEvents(crib, id)
  const drafts = before.map((text) => JSON.parse(text) as ToolEvent)
  await crib.close()

  const database = openDatabase(path)
  const { created_at: start } = database.prepare('SELECT created_at FROM calls').get() as {
    created_at: number
  }
  const legacy = drafts.flatMap(({ event_type: type, time, data }) => [
    type,
    Date.parse(time) - start,
    type === 'tool.result.created' ? { ...(data!['result'] as object), model_facing_content: 0 } : data,
  ])
  database.prepare('UPDATE calls SET body = ?').run(JSON.stringify(legacy))
  database.close()

  const again = await open(path)
  const after = (await storedEvents(again, id)).map((text) => JSON.parse(text) as ToolEvent)
  expect(after.map(({ event_type: type }) => type)).toEqual(drafts.map(({ event_type: type }) => type))
  expect(after.at(-1)).toEqual(drafts.at(-1))
  await again.close()
})
