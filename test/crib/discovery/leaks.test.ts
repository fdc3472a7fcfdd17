import { expect, it } from 'vitest'
import { defineTool, type SurfaceRequest } from 'toolcrib'
import { toolList } from 'toolcrib/formats'
import { collect, onBothStores, openCrib, shownText } from '../../scenarios/open-crib.js'
import { clock, githubTools } from './github-tools.js'

const payroll = defineTool({
  namespace: 'vault',
  name: 'payroll',
  description: 'Reads everybody’s payroll, labels and issues.',
  searchHint: 'read salaries payroll',
  shouldDefer: true,
  isReadOnly: true,
  isOpenWorld: false,
  execute: () => 'much',
})

onBothStores('a tool that a caller must not know about', (newStore) => {
  async function place(permission: object, request: Partial<SurfaceRequest> = {}) {
    const crib = await openCrib({
      store: newStore(),
      tools: [clock, payroll, ...githubTools()],
      permission,
    })
    return { crib, surface: await crib.surface({ scope: 'turn', ...request }) }
  }
  const queries = [
    'payroll',
    'payrol',
    'read salaries payroll',
    '+payroll issues',
    'vault',
    'labels issues',
    'select:vault.payroll',
    'select:vault__payroll,payroll',
    'select:mcp.github.search_issues,vault.payroll',
  ]

  it.each([
    ['a rule denies it', { deny: ['vault.payroll'] }, {}],
    ['a rule denies its namespace', { deny: ['vault.*'] }, {}],
    [
      'a rule denies it to this actor',
      { deny: [{ rule: 'vault.payroll', when: { actor: 'bob' } }] },
      { actor: 'bob' },
    ],
    ['the surface excludes it', {}, { exclude: ['vault.*'] }],
    ['the surface does not include it', {}, { include: ['mcp.*', 'local.*'] }],
  ])('is in no answer: %s', async (_why, permission, request) => {
    const { crib, surface } = await place(permission, request)
    for (const query of queries) {
      const found = await surface.search(query)
      const result = await crib.call(surface, { name: 'tool.search', input: { query, limit: 20 } })
      const said = JSON.stringify([found.matches, found.toolcrib, found.total_deferred_tools])
      expect(said, query).not.toContain('vault')
      expect(said, query).not.toContain('salaries')
      expect(shownText(result).replaceAll(/"[^"]*"/g, ''), query).not.toMatch(/vault|salaries/)
      expect(found.matches).not.toContain('vault.payroll')
    }
    expect((await surface.search('issues')).total_deferred_tools).toBeLessThanOrEqual(31)
    expect(JSON.stringify(toolList(surface, 'anthropic'))).not.toContain('payroll')
    await crib.flush()
    const discovered = (await collect(crib.events())).filter(
      ({ event_type }) => event_type === 'tool.deferred.discovered',
    )
    expect(JSON.stringify(discovered.map(({ data }) => (data as { tools: unknown }).tools))).not.toContain(
      'vault',
    )
  })

  it('leaves every answer identical to that of a catalog without it', async () => {
    const { crib, surface } = await place({ deny: ['vault.payroll'] })
    const without = await openCrib({ store: newStore(), tools: [clock, ...githubTools()] })
    const other = await without.surface({ scope: 'turn' })
    for (const query of queries) {
      expect(await surface.search(query), query).toEqual(await other.search(query))
      const call = { name: 'tool.search', input: { query } }
      const [here, there] = [await crib.call(surface, call), await without.call(other, call)]
      expect(shownText(here)).toBe(shownText(there))
      expect(here.structured_content).toEqual(there.structured_content)
    }
    expect(await surface.search('select:vault.payroll')).toMatchObject({
      matches: [],
      missing_names: ['vault.payroll'],
      total_deferred_tools: expect.any(Number),
    })
  })

  it('is found by other callers', async () => {
    const { crib } = await place({ deny: [{ rule: 'vault.payroll', when: { actor: 'bob' } }] })
    const surface = await crib.surface({ scope: 'turn', actor: 'ann' })
    expect((await surface.search('payroll')).matches[0]).toBe('vault.payroll')
    expect((await surface.search('payroll')).total_deferred_tools).toBe(32)
  })

  it('is hidden immediately by a new rule', async () => {
    const { crib, surface } = await place({})
    expect((await surface.search('select:vault.payroll')).matches).toEqual(['vault.payroll'])
    await crib.policy.update({
      type: 'add_rules',
      behavior: 'deny',
      rules: ['vault.payroll'],
      destination: 'session',
    })
    expect((await surface.search('select:vault.payroll')).matches).toEqual([])
  })
})

it('a connecting source is named only to callers that see tools of it', async () => {
  const hidden = defineTool({
    namespace: 'vault',
    name: 'open',
    description: 'Opens it.',
    pendingProvider: () => 'vault',
    execute: () => 1,
  })
  const source = { name: 'vault', list: async () => [hidden], pending: () => ['vault'] }
  const deny = [{ rule: 'vault.*', when: { actor: 'bob' } }]
  const crib = await openCrib({ tools: [clock, payroll], sources: [source], permission: { deny } })
  const named = async (request: Partial<SurfaceRequest>) =>
    (await (await crib.surface({ scope: 'turn', ...request })).search('zzz')).pending_providers
  expect(await named({ actor: 'ann' })).toEqual(['vault'])
  expect(await named({ actor: 'bob' })).toEqual([])
  expect(await named({ actor: 'ann', exclude: ['vault.*'] })).toEqual([])
})
