import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCrib, defineTool, memoryStore, sqliteStore, type ToolResult } from 'toolcrib'
import { collect, onBothStores } from '../scenarios/open-crib.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'
import { markOwnersDead } from './recovery/mark-owners-dead.js'

const numbers = {
  jsonSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
} as const

const add = defineTool({
  namespace: 'math',
  name: 'add',
  description: 'Add two numbers.',
  input: numbers,
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  execute: ({ a, b }) => ({ sum: a + b }),
})

const wipe = defineTool({
  name: 'wipe',
  description: 'Wipe everything.',
  input: { jsonSchema: { type: 'object' } },
  isDestructive: true,
  execute: () => 'wiped',
})

/** Calls the tools that its input names, one after the other. */
const script = defineTool({
  name: 'script',
  description: 'Call other tools.',
  input: { jsonSchema: { type: 'object', properties: { calls: { type: 'array' } }, required: ['calls'] } },
  isReadOnly: true,
  isOpenWorld: false,
  async execute({ calls }, context) {
    const results: ToolResult[] = []
    for (const { name, input } of calls as { name: string; input: unknown }[])
      results.push(await context.callTool({ name, input }))
    return results.map(({ status, structured_content: data, error }) => ({
      status,
      data,
      class: error?.error_class,
    }))
  },
})

onBothStores('calls that an executor makes', (openStore) => {
  test('are calls of their own, linked to the call that made them', async () => {
    const crib = await createCrib({ tools: [add, wipe, script], store: openStore() })
    const surface = await crib.surface()
    const calls = [
      { name: 'math.add', input: { a: 1, b: 2 } },
      { name: 'wipe', input: {} },
      { name: 'math.add', input: { a: 'one' } },
      { name: 'missing', input: {} },
    ]
    const result = await crib.call(surface, { name: 'script', input: { calls } })
    expect(result.structured_content).toEqual([
      { status: 'succeeded', data: { sum: 3 } },
      { status: 'rejected', class: 'approval_rejected' },
      { status: 'failed', class: 'schema_validation_failed' },
      { status: 'failed', class: 'unknown_tool' },
    ])
    const all = await collect(crib.invocations())
    const parent = all.find(({ tool_id: id }) => id === 'local.script')!
    const children = all.filter(({ toolcrib }) => toolcrib?.['parent_invocation_id'] !== undefined)
    expect(children).toHaveLength(4)
    expect(parent.toolcrib!['child_invocation_ids']).toEqual(children.map(({ invocation_id: id }) => id))
    for (const child of children) {
      expect(child.toolcrib!['parent_invocation_id']).toBe(parent.invocation_id)
      expect(child.surface_id).toBe(parent.surface_id)
      expect(await crib.resolveRef(child.runtime_refs![0]!)).toMatchObject({
        invocation_id: parent.invocation_id,
      })
    }
    await crib.close()
  })
})

test('an inner call that needs approval is asked about, and the outer call waits for the answer', async () => {
  const asked: string[] = []
  const crib = await createCrib({
    tools: [wipe, script],
    store: memoryStore(),
    approver: ({ toolId }) => {
      asked.push(toolId)
      return { approved: true }
    },
  })
  const calls = [{ name: 'wipe', input: {} }]
  const result = await crib.call(await crib.surface(), { name: 'script', input: { calls } })
  expect(result.structured_content).toMatchObject([{ status: 'succeeded' }])
  expect(asked).toEqual(['local.wipe'])
  await crib.close()
})

test('an inner call is canceled with the outer one', async () => {
  const slow = defineTool({
    name: 'slow',
    description: 'Wait.',
    input: { jsonSchema: { type: 'object' } },
    isReadOnly: true,
    isOpenWorld: false,
    supports: ['cancel'],
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      ),
  })
  const crib = await createCrib({ tools: [slow, script], store: memoryStore() })
  const call = crib.call(await crib.surface(), {
    name: 'script',
    input: { calls: [{ name: 'slow', input: {} }] },
  })
  for await (const { event_type: type } of call) {
    if (type !== 'toolcrib.invocation.called_tool') continue
    call.cancel()
    break
  }
  expect((await call).status).toBe('canceled')
  const results = await collect(crib.results())
  expect(results.map(({ status }) => status)).toEqual(['canceled', 'canceled'])
  await crib.close()
})

test('a tool that calls itself ends', async () => {
  const again = defineTool({
    name: 'again',
    description: 'Call itself.',
    input: { jsonSchema: { type: 'object' } },
    isReadOnly: true,
    isOpenWorld: false,
    execute: async (_, { callTool }) => (await callTool({ name: 'again' })).status,
  })
  const crib = await createCrib({ tools: [again], store: memoryStore() })
  await crib.call(await crib.surface(), { name: 'again' })
  const results = await collect(crib.results())
  expect(results).toHaveLength(9)
  expect(results.filter(({ error }) => /nested 8 deep/.test(error?.message ?? ''))).toHaveLength(1)
  await crib.close()
})

test('after the end of the process the outer call and its waiting call end, and none is repeated', async () => {
  const path = join(temporaryFolder(), 'crib.sqlite')
  const ran: string[] = []
  const note = defineTool({
    name: 'note',
    description: 'Note a text.',
    input: { jsonSchema: { type: 'object' } },
    execute: () => void ran.push('note'),
  })
  const options = {
    tools: [note, wipe, script],
    permission: { allow: ['note', 'script'], ask: ['wipe'] },
    reviewers: ['ann'],
  }
  const first = await createCrib({ ...options, store: sqliteStore({ path }) })
  const calls = [
    { name: 'note', input: {} },
    { name: 'wipe', input: {} },
  ]
  const outer = first.call(await first.surface(), { name: 'script', input: { calls } })
  outer.catch(() => {})
  const asked = () => first.approvals.list({ status: 'pending' })
  await until(async () => (await asked()).length > 0, 'the inner call asks')
  const [approval] = await asked()
  await first.flush()
  await markOwnersDead(path)

  const second = await createCrib({ ...options, store: sqliteStore({ path }) })
  const errorOf = async (id: string) => {
    await until(async () => (await second.result(id)) !== undefined, `${id} ends`)
    const { error_class: errorClass, error_code: code } = (await second.result(id))!.error!
    return [errorClass, code]
  }
  expect(await errorOf(outer.invocationId)).toEqual(['dependency_unavailable', 'toolcrib.owner_lost'])
  expect(await errorOf(approval!.invocation_id)).toEqual(['dependency_unavailable', 'toolcrib.caller_lost'])
  const late = await second.approvals.answer(approval!.approval_id, { approved: true, by: 'ann' })
  expect(late).toMatchObject({ ok: false })
  expect(ran).toEqual(['note'])
  await second.close()
  await first.close({ graceMs: 0 }).catch(() => {})
})
