import { expect, it } from 'vitest'
import { createCrib, defineTool, memoryStore, sqliteStore, type Crib } from 'toolcrib'
import { openTemporaryFolder } from '../temporary-folder.js'
import { openCrib } from '../scenarios/open-crib.js'

const tools = ['a', 'b'].map((name) =>
  defineTool({
    name,
    description: `Tool ${name}.`,
    isReadOnly: true,
    isOpenWorld: false,
    execute: async () => name,
  }),
)
const request = { scope: 'session', session: 's1', actor: 'ann', exclude: ['local.b'] } as const

it('opens a surface by its id: the open one in its own crib, and none of another tenant', async () => {
  const crib = await openCrib({ store: memoryStore(), tools })
  const surface = await crib.surface(request)
  expect(await crib.openSurface(surface.id)).toBe(surface)
  expect(await crib.openSurface(surface.id, { tenant: 'other' })).toBeUndefined()
  expect(await crib.openSurface('surface_none')).toBeUndefined()
})

it('opens a surface of a crib that was closed, with its request and its revisions', async () => {
  const folder = openTemporaryFolder()
  const open = (): Promise<Crib> =>
    createCrib({ store: sqliteStore({ path: folder.file('crib.db') }), tools, actor: 'host' })
  const first = await open()
  const before = await first.surface(request)
  await before.update({ exclude: ['local.a'] })
  await first.call(before, { name: 'b', input: {} })
  await first.close()

  const second = await open()
  const [again, same] = await Promise.all([second.openSurface(before.id), second.openSurface(before.id)])
  expect(again).toBe(same)
  expect(again).toMatchObject({ id: before.id, request: { session: 's1', actor: 'ann' } })
  expect(again!.tools().map(({ toolId }) => toolId)).toEqual(['local.b'])
  expect(await second.call(again!, { name: 'b', input: {} })).toMatchObject({ status: 'succeeded' })
  expect(await second.call(again!, { name: 'a', input: {} })).toMatchObject({ is_error: true })
  await second.flush()
  const events = []
  for await (const event of second.events())
    if (event.event_type.startsWith('tool.surface.')) events.push(event)
  expect(new Set(events.map(({ event_id: id }) => id)).size).toBe(events.length)
  const created = await second.resolveRef(`${before.id}@1`)
  expect(created).toMatchObject({ surface_id: before.id, created_at: again!.record.created_at })
  await second.close()
  folder.remove()
})

it('lists invocations in pages, each with the cursor of the next', async () => {
  const crib = await openCrib({ store: memoryStore(), tools })
  const surface = await crib.surface()
  for (let n = 0; n < 5; n++) await crib.call(surface, { name: n === 2 ? 'b' : 'a', input: {} })
  const seen: string[] = []
  let cursor: string | undefined
  const sizes: number[] = []
  do {
    const page = await crib.invocationPage({ tool: 'a', limit: 3, ...(cursor && { cursor }) })
    sizes.push(page.invocations.length)
    seen.push(...page.invocations.map(({ invocation_id: id }) => id))
    cursor = page.cursor
  } while (cursor !== undefined)
  const all = []
  for await (const { invocation_id: id } of crib.invocations({ tool: 'a' })) all.push(id)
  expect({ sizes, seen }).toEqual({ sizes: [3, 1], seen: all })
  await expect(crib.invocationPage({ cursor: 'x' })).rejects.toThrow('"x" is not a cursor of calls')
})
