import { expect, it } from 'vitest'
import { clock, githubTools } from '../crib/discovery/github-tools.js'
import { collect, onBothStores, openCrib, shownText } from './open-crib.js'

onBothStores('[AT-SCEN-02] acceptance scenario 2: found by name and by words, loaded, called', (newStore) => {
  async function place() {
    const ran: unknown[] = []
    const crib = await openCrib({ store: newStore(), tools: [clock] })
    await crib.add(
      githubTools((tool, input) => ran.push([tool, input])),
      'mcp',
    )
    return { crib, ran, surface: await crib.surface({ scope: 'session', session: 's1' }) }
  }
  const call = { name: 'mcp__github__search_issues', input: { query: 'crash' } }

  it.each([
    ['its exact name', 'select:mcp__github__search_issues'],
    ['words', 'search issues'],
  ])('[AT-DEFER-03] [AT-DEFER-06] by %s', async (_how, query) => {
    const { crib, ran, surface } = await place()
    const early = await crib.call(surface, call)
    expect(early.error).toMatchObject({ error_class: 'schema_not_loaded' })
    expect(ran).toEqual([])

    const found = await crib.call(surface, { name: 'tool__search', input: { query } })
    expect(found.structured_content).toMatchObject({
      next_action: 'call_tool',
      toolcrib: { loaded: expect.arrayContaining(['mcp.github.search_issues']) },
    })
    expect(shownText(found)).toContain('mcp__github__search_issues')
    expect(surface.tools().map(({ toolId }) => toolId)).toContain('mcp.github.search_issues')

    const result = await crib.call(surface, call)
    expect(result).toMatchObject({ status: 'succeeded', structured_content: { done: 'search_issues' } })
    expect(ran).toEqual([['search_issues', { query: 'crash' }]])
  })

  it('[AT-EVENT-01] found and loaded tools are recorded in the log, in that order', async () => {
    const { crib, surface } = await place()
    await crib.call(surface, { name: 'tool.search', input: { query: 'select:mcp__github__search_issues' } })
    await crib.flush()
    const events = await collect(crib.events())
    const own = events.filter(({ event_type }) => event_type.startsWith('tool.deferred.'))
    expect(own.map(({ event_type }) => event_type)).toEqual([
      'tool.deferred.discovered',
      'tool.deferred.loaded',
    ])
    expect(own.map(({ tool_id }) => tool_id)).toEqual(Array(2).fill('mcp.github.search_issues'))
    const declared = events.filter(({ event_type }) => event_type === 'tool.declared')
    for (const { tool_id, data } of declared)
      expect(tool_id).toBe((data!['declaration'] as { tool_id: string }).tool_id)
    expect(own[0]!.data).toMatchObject({
      surface_id: surface.id,
      query: 'select:mcp__github__search_issues',
      tools: [{ tool_id: 'mcp.github.search_issues', score: 1 }],
    })
  })
})
