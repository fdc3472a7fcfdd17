import { expect, it } from 'vitest'
import type { Crib, SurfaceRequest, ToolResult } from 'toolcrib'
import { onBothStores, openCrib } from '../../scenarios/open-crib.js'
import { tool, tools } from './make-tools.js'

const names = ['send', 'local.send', 'local__send', 'post', 'local.post']
const requests: [string, SurfaceRequest][] = [
  ['by its own setting', { scope: 'turn' }],
  ['by the budget', { scope: 'turn', deferral: { budgetTokens: 1 } }],
  ['by the budget, as a pair', { scope: 'turn', deferral: { budgetTokens: 1, way: 'pair' } }],
  ['by the budget, natively', { scope: 'turn', deferral: { budgetTokens: 1, way: 'native' } }],
  ['by name', { scope: 'turn', deferral: { never: ['post'] } }],
]

onBothStores('[AT-DEFER-07] [AT-DEFER-01] a tool that was not loaded does not run', (newStore) => {
  it.each(requests)('deferred %s', async (title, request) => {
    let runs = 0
    const send = tool('send', {
      aliases: ['post'],
      shouldDefer: title === 'by its own setting',
      execute: () => ++runs,
    })
    const crib = await openCrib({ store: newStore(), tools: [send, ...tools('x', 'y', 'z')] })
    const surface = await crib.surface(request)
    const results: ToolResult[] = []
    for (const name of names) {
      results.push(await crib.call(surface, { name }))
      const inBackground = crib.call(surface, { name, runInBackground: true })
      await inBackground
      results.push((await resultOf(crib, inBackground.invocationId))!)
    }
    const batch = crib.batch(
      surface,
      names.map((name) => ({ name })),
    )
    for await (const item of batch) if ('result' in item) results.push(item.result as ToolResult)
    expect(results.length).toBeGreaterThanOrEqual(3 * names.length)
    for (const { error } of results) {
      expect(error!.error_class).toBe('schema_not_loaded')
      expect(error!.message).toContain('call tool__search with the query "select:local__send"')
      expect(error!.toolcrib).toMatchObject({
        way_out: { tool: 'tool.search', input: { query: 'select:local__send' } },
      })
    }
    expect(runs).toBe(0)
    await surface.load(['post'])
    expect((await crib.call(surface, { name: 'post' })).status).toBe('succeeded')
    expect(runs).toBe(1)
  })
})

it('is loaded by any of its names, also where rules deny files', async () => {
  const crib = await openCrib({
    tools: [tool('send', { shouldDefer: true })],
    permission: { deny: ['Read(**/.env)'] },
  })
  const surface = await crib.surface({ scope: 'turn' })
  const found = await crib.call(surface, { name: 'tool.search', input: { query: 'select:local.send,a.b' } })
  expect(found.status).toBe('succeeded')
  expect((await crib.call(surface, { name: 'send' })).status).toBe('succeeded')
})

async function resultOf(crib: Crib, invocationId: string): Promise<ToolResult | undefined> {
  await crib.flush()
  return crib.result(invocationId)
}
