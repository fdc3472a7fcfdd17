import { expect, it } from 'vitest'
import { loadOwnerToken } from '../../../src/credentials/gateway-token.js'
import { defineTool, toolOutput } from '../../../src/index.js'
import { openServer } from '../server/support/open-server.js'
import { openApi, type OpenApi } from './support/open-api.js'

const asked = {
  namespace: 'disk',
  input: { jsonSchema: { type: 'object' } },
  execute: async () => ({}),
} as const
const note = defineTool({
  ...asked,
  name: 'note',
  description: 'Add a note.',
  isOpenWorld: false,
  isDestructive: false,
})
const wipe = defineTool({ ...asked, name: 'wipe', description: 'Wipe a disk.', isDestructive: true })
const report = defineTool({
  ...asked,
  name: 'report',
  description: 'Write a report.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: () => toolOutput({ artifacts: [{ name: 'report.txt', content: 'x', mediaType: 'text/plain' }] }),
})

interface List<Item> {
  readonly items: readonly Item[]
  readonly next_cursor?: string
}

/** The items of every page of a list. */
async function allPages<Item>(ask: OpenApi['ask'], path: string): Promise<Item[][]> {
  const pages: Item[][] = []
  let cursor: string | undefined
  do {
    const from: string = cursor === undefined ? '' : `&cursor=${cursor}`
    const { status, body } = await ask('reviewer', 'GET', `${path}${from}`)
    expect(status).toBe(200)
    const list = body as List<Item>
    pages.push([...list.items])
    cursor = list.next_cursor
  } while (cursor !== undefined)
  return pages
}

it('gives all approvals that wait in pages, the riskiest first also where they are the oldest', async () => {
  const { ask } = await openApi({ tools: [note, wipe] })
  const made: Record<string, string[]> = { 'disk.wipe': [], 'disk.note': [] }
  for (const tool of ['disk.wipe', 'disk.wipe', 'disk.note', 'disk.note', 'disk.note']) {
    const { body } = await ask('agent', 'POST', '/calls', { body: { tool } })
    made[tool]!.unshift((body as { approval_id: string }).approval_id)
  }
  interface Item {
    readonly approval: { readonly approval_id: string }
    readonly risk: string
  }
  const pages = await allPages<Item>(ask, '/approvals?limit=2')
  expect(pages.map((page) => page.map(({ risk }) => risk))).toEqual([
    ['high', 'high'],
    ['medium', 'medium'],
    ['medium'],
  ])
  const ids = pages.flat().map(({ approval }) => approval.approval_id)
  expect(ids).toEqual([...made['disk.wipe']!, ...made['disk.note']!])
  const newest = await allPages<Item>(ask, '/approvals?limit=3&status=pending,approved')
  expect(newest.flat().map(({ approval }) => approval.approval_id)).toEqual([
    ...made['disk.note']!,
    ...made['disk.wipe']!,
  ])
  const { next_cursor: inbox } = (await ask('reviewer', 'GET', '/approvals?limit=1')).body as List<Item>
  for (const path of [`/approvals?status=approved&cursor=${inbox}`, '/approvals?cursor=bogus'])
    expect((await ask('reviewer', 'GET', path)).body).toMatchObject({
      status: 400,
      detail: 'The cursor is none of this list; begin without one.',
    })
  // An answered approval leaves no gap in the pages after it.
  await ask('reviewer', 'POST', `/approvals/${ids[0]}/answer`, { body: { approved: false } })
  const { body: rest } = await ask('reviewer', 'GET', `/approvals?cursor=${inbox}`)
  expect((rest as List<Item>).items.map(({ approval }) => approval.approval_id)).toEqual(ids.slice(1))
})

it('gives artifacts in pages, and a cursor to go on from with every page of events', async () => {
  const { ask } = await openApi({ tools: [report] })
  const made: string[] = []
  for (let count = 0; count < 3; count++) {
    const { body } = await ask('agent', 'POST', '/calls', { body: { tool: 'disk.report' } })
    made.unshift((body as { artifact_refs: [{ ref_id: string }] }).artifact_refs[0].ref_id)
  }
  const pages = await allPages<{ artifact_id: string }>(ask, '/artifacts?limit=2')
  expect(pages.map((page) => page.map(({ artifact_id: id }) => id))).toEqual([
    made.slice(0, 2),
    made.slice(2),
  ])
  const { body: all } = await ask('auditor', 'GET', '/events?limit=500')
  const { next_cursor: end } = all as List<unknown>
  expect((await ask('auditor', 'GET', `/events?from=${end}`)).body).toEqual({ items: [], next_cursor: end })
})

it('gives tokens in pages', async () => {
  const server = await openServer()
  const token = loadOwnerToken()
  const ask: OpenApi['ask'] = (_, method, path) => server.ask(method, `/api/v1${path}`, { token }) as never
  for (const name of ['a', 'b', 'c'])
    await server.ask('POST', '/api/v1/tokens', { token, body: { name, roles: ['caller'] } })
  const pages = await allPages<{ name: string }>(ask, '/tokens?limit=2')
  expect(pages.map((page) => page.map(({ name }) => name))).toEqual([['a', 'b'], ['c']])
})
