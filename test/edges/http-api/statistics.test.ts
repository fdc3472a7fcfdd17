import { expect, it } from 'vitest'
import { defineTool, type Statistics } from '../../../src/index.js'
import { openApi } from './support/open-api.js'

const divide = defineTool({
  namespace: 'math',
  name: 'divide',
  description: 'Divide two numbers.',
  input: {
    jsonSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  },
  isReadOnly: true,
  isOpenWorld: false,
  async execute({ a, b }: { a: number; b: number }) {
    if (b === 0) throw new Error('Division by zero.')
    return { quotient: a / b }
  },
})

it('gives the numbers of the calls of the tenant of the caller', async () => {
  const { ask } = await openApi({ tools: [divide] })
  for (const b of [1, 2, 0])
    await ask('agent', 'POST', '/calls', { body: { tool: 'math.divide', input: { a: 1, b } } })
  const { status, body } = await ask('auditor', 'GET', '/statistics?step_ms=60000')
  expect(status).toBe(200)
  const found = body as Statistics
  expect(found).toMatchObject({ is_complete: true, step_ms: 60_000, totals: { calls: 3, errors: 1 } })
  expect(found.by_tool).toMatchObject([
    { tool_id: 'math.divide', tool_name: 'math.divide', source: 'function', calls: 3, errors: 1 },
  ])
  expect(found.points.reduce((sum, { calls }) => sum + calls, 0)).toBe(3)
  const elsewhere = await ask('stranger', 'GET', '/statistics')
  expect(elsewhere.body).toMatchObject({ totals: { calls: 0 }, by_tool: [] })
})

it('is for those who may read everything, and refuses ranges that cannot be answered', async () => {
  const { ask } = await openApi()
  expect((await ask('agent', 'GET', '/statistics')).status).toBe(403)
  expect((await ask('agent', 'GET', '/sources')).status).toBe(403)
  const backwards = '/statistics?since=2026-07-02T00:00:00Z&until=2026-07-01T00:00:00Z'
  expect(await ask('operator', 'GET', backwards)).toMatchObject({
    status: 400,
    body: { detail: '"since" must be before "until".' },
  })
  const long = '/statistics?since=0001-01-01T00:00:00Z'
  expect(await ask('operator', 'GET', long)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('more than 3000 steps') },
  })
})

it('lists the sources with their health', async () => {
  const health = { name: 'mcp:notes', entry: 'notes', kind: 'mcpServers', tools: 2, calls: 3, errors: 0 }
  const { ask } = await openApi(
    {},
    {
      sourceHealth: async (tenant) => [{ ...health, state: 'ready', restarts: tenant === 'default' ? 1 : 0 }],
    },
  )
  expect((await ask('reviewer', 'GET', '/sources')).body).toEqual({
    items: [{ ...health, state: 'ready', restarts: 1 }],
  })
  expect((await ask('stranger', 'GET', '/sources')).status).toBe(403)
})
