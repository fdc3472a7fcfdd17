import { expect, test } from 'vitest'
import { createCrib, defineTool, memoryStore, toolOutput, type ExecuteContext } from 'toolcrib'
import { collect } from '../scenarios/open-crib.js'

const anything = { jsonSchema: { type: 'object' } } as const

const report = defineTool({
  name: 'report',
  description: 'Write a report.',
  input: anything,
  isReadOnly: true,
  isOpenWorld: false,
  execute: () =>
    toolOutput({ structured: { done: true }, artifacts: [{ name: 'report.txt', content: 'x'.repeat(50) }] }),
})

const long = defineTool({
  name: 'long',
  description: 'Give a long text.',
  input: anything,
  isReadOnly: true,
  isOpenWorld: false,
  maxInlineChars: 100,
  execute: () => 'line\n'.repeat(1000),
})

const remove = defineTool({ name: 'remove', description: 'Remove.', input: anything, execute: () => 'gone' })

/** A tool that asks about its caller. */
const look = <Seen>(ask: (context: ExecuteContext) => Promise<Seen>) =>
  defineTool({
    name: 'look',
    description: 'Look.',
    input: anything,
    isReadOnly: true,
    isOpenWorld: false,
    execute: async (_, context) => ({ seen: await ask(context) }),
  })

const others = [report, long, remove]

// A tool that rules deny is blocked, and named, on every surface.
test('an executor learns what the rules say about a call of its caller', async () => {
  const asks = look(async ({ caller }) =>
    ['report', 'remove', 'missing', 'local.long'].map(
      (name) => caller.explain({ name, input: {} })?.behavior ?? 'none',
    ),
  )
  const crib = await createCrib({
    tools: [...others, asks],
    store: memoryStore(),
    permission: { deny: ['remove'], allow: ['look', 'report'] },
  })
  const all = await crib.surface()
  const { structured_content: seen } = await crib.call(all, { name: 'look' })
  expect(seen).toEqual({ seen: ['allow', 'deny', 'none', 'allow'] })
  const small = await crib.surface({ include: ['look', 'report'] })
  expect((await crib.call(small, { name: 'look' })).structured_content).toEqual({
    seen: ['allow', 'deny', 'none', 'none'],
  })
  await crib.close()
})

test('an executor reads results and artifacts that its caller may read', async () => {
  const asks = look(async ({ caller, callTool }) => {
    const { persisted_payload_ref: ref } = await callTool({ name: 'long' })
    const text = (await caller.content(ref!.uri!)) as string
    const names = (await collect(caller.artifacts())).map(({ name }) => name)
    return { chars: text.length, names }
  })
  const crib = await createCrib({ tools: [...others, asks], store: memoryStore() })
  const surface = await crib.surface()
  await crib.call(surface, { name: 'report' })
  const { structured_content: seen } = await crib.call(surface, { name: 'look' })
  expect(seen).toEqual({ seen: { chars: 5000, names: ['report.txt'] } })
  await crib.close()
})

test('a ref of another tenant is not read', async () => {
  const asks = look(({ caller }) => caller.content('toolcrib://payload/none'))
  const crib = await createCrib({ tools: [asks], store: memoryStore() })
  const result = await crib.call(await crib.surface(), { name: 'look' })
  expect(result).toMatchObject({
    is_error: true,
    error: { message: expect.stringContaining('There is nothing at') },
  })
  await crib.close()
})
