import { expect, it } from 'vitest'
import { defineTool } from '../../../src/index.js'
import { openApi } from './support/open-api.js'
import { openServedApi } from './support/open-served-api.js'

const tool = (name: string, more: object = {}) =>
  defineTool({ name, namespace: 'notes', description: `Does ${name}.`, execute: () => 1, ...more })

it('opens surfaces, and lists them newest first in pages', async () => {
  const { ask } = await openApi({ tools: [tool('read')] })
  const ids: string[] = []
  for (const session of ['one', 'two', 'three']) {
    const { status, body } = await ask('agent', 'POST', '/surfaces', { body: { session } })
    expect(status).toBe(200)
    ids.unshift((body as { surface_id: string }).surface_id)
  }
  await ask('other-agent', 'POST', '/surfaces', { body: { session: 'other' } })
  type Page = { items: { surface_id: string }[]; next_cursor?: string }
  const first = (await ask('operator', 'GET', '/surfaces?actor=agent&limit=2')).body as Page
  const next = `/surfaces?actor=agent&limit=2&cursor=${first.next_cursor}`
  const second = (await ask('operator', 'GET', next)).body as Page
  expect([...first.items, ...second.items].map(({ surface_id: id }) => id)).toEqual(ids)
  expect(second).not.toHaveProperty('next_cursor')
  const own = (await ask('agent', 'GET', '/surfaces?actor=other-agent')).body as Page
  expect(own.items).toHaveLength(3)
  const bySession = (await ask('auditor', 'GET', '/surfaces?session=two')).body as Page
  expect(bySession.items).toMatchObject([{ surface_id: ids[1] }])
  expect((await ask('auditor', 'GET', `/surfaces/${ids[0]}`)).body).toMatchObject({ surface_id: ids[0] })
  expect((await ask('agent', 'GET', `/surfaces/${ids[0]}`)).body).toMatchObject({ surface_id: ids[0] })
  expect((await ask('other-agent', 'GET', `/surfaces/${ids[0]}`)).status).toBe(404)
  expect((await ask('stranger', 'GET', `/surfaces/${ids[0]}`)).status).toBe(404)
  expect((await ask('stranger', 'GET', '/surfaces')).body).toEqual({ items: [] })
  expect((await ask('operator', 'POST', '/surfaces', { body: {} })).status).toBe(403)
})

it('gives the reason for every tool of a surface, and only the visible ones to a caller', async () => {
  const { ask } = await openApi({
    tools: [tool('read'), tool('wipe'), tool('boss', { roles: ['lead'] })],
    permission: { deny: ['notes.wipe'] },
  })
  const preview = await ask('operator', 'GET', '/surface-preview')
  expect(preview.body).toMatchObject({
    surface: 'default',
    saved_tokens: 0,
    items: [
      { tool_id: 'notes.boss', visibility: 'hidden', reason: 'role_not_allowed' },
      { tool_id: 'notes.read', visibility: 'loaded', reason_message: 'It is listed up front.' },
      { tool_id: 'notes.wipe', visibility: 'denied', reason: 'policy_blocked' },
    ],
  })
  const elsewhere = await ask('stranger', 'GET', '/surface-preview?surface=default')
  expect((elsewhere.body as { items: object[] }).items).toMatchObject([
    { tool_id: 'notes.boss' },
    { tool_id: 'notes.read' },
  ])
  const own = await ask('agent', 'GET', '/surface-preview')
  expect((own.body as { items: object[] }).items).toMatchObject([{ tool_id: 'notes.read' }])
  expect((await ask('agent', 'GET', '/surface-preview?actor=other-agent')).status).toBe(403)
  expect((await ask('agent', 'GET', '/surface-preview?surface=small')).status).toBe(403)
  expect((await ask('operator', 'GET', '/surface-preview?surface=none')).status).toBe(404)
})

it('names the surfaces of the config, and previews one by its name', async () => {
  const { ask } = await openServedApi(
    'tools: [tools.mjs]\nserve:\n  surfaces:\n    small: { include: [notes.read] }\n    lost: { agent: nobody }\n',
    (folder) =>
      folder.write(
        'tools.mjs',
        `import { defineTool } from '${new URL('../../../lib/index.js', import.meta.url).pathname}'
const tool = (name) => defineTool({ name, namespace: 'notes', description: 'Does ' + name + '.', execute: () => 1 })
export const read = tool('read')
export const write = tool('write')
`,
      ),
  )
  expect((await ask('auditor', 'GET', '/surface-names')).body).toEqual({
    items: [
      { name: 'default', kind: 'config' },
      { name: 'small', kind: 'config' },
      { name: 'lost', kind: 'config', problem: expect.stringContaining('nobody') as string },
    ],
  })
  expect((await ask('agent', 'GET', '/surface-names')).status).toBe(403)
  expect((await ask('stranger', 'GET', '/surface-names')).body).toEqual({
    items: [{ name: 'default', kind: 'config' }],
  })
  for (const name of ['small', 'none'])
    for (const path of ['/surface-preview?', '/search?query=read&'])
      expect((await ask('stranger', 'GET', `${path}surface=${name}`)).status).toBe(403)
  expect((await ask('stranger', 'GET', '/surface-preview')).status).toBe(200)
  const small = await ask('operator', 'GET', '/surface-preview?surface=small')
  expect(small.body).toMatchObject({
    surface: 'small',
    budget_tokens: 20_000,
    items: [
      { tool_id: 'notes.read', visibility: 'loaded' },
      { tool_id: 'notes.write', visibility: 'hidden', reason: 'toolcrib.not_selected' },
      { tool_id: 'tool.call', visibility: 'hidden' },
      { tool_id: 'tool.search', visibility: 'hidden' },
    ],
  })
  expect((await ask('operator', 'GET', '/surface-preview?surface=lost')).status).toBe(400)
})
