import { expect, it } from 'vitest'
import { toolList } from 'toolcrib/formats'
import { clock, githubTools } from '../crib/discovery/github-tools.js'
import { onBothStores, openCrib } from './open-crib.js'

onBothStores('[AT-SCEN-01] acceptance scenario 1: discoverable without loading every tool', (newStore) => {
  async function place() {
    const crib = await openCrib({ store: newStore(), tools: [clock] })
    await crib.add(githubTools(), 'mcp')
    return { crib, surface: await crib.surface({ scope: 'turn' }) }
  }

  it('[AT-DEFER-01] the model gets a few tools and can find all', async () => {
    const { crib, surface } = await place()
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['local.clock', 'tool.search'])
    for (const { toolId, providerName } of crib.tools().filter(({ source }) => source === 'mcp')) {
      const found = await surface.search(`select:${providerName}`)
      expect(found.matches).toEqual([toolId])
    }
  })

  it('[AT-DEFER-03] words of its name, namespace, description and hint find a tool, and nothing is loaded', async () => {
    const { surface } = await place()
    const before = JSON.stringify(toolList(surface, 'anthropic'))
    for (const words of ['search issues', 'github issues', 'words and labels issues', 'repository issues']) {
      const { matches, query_type } = await surface.search(words)
      expect(query_type).toBe('keyword')
      expect(matches[0], words).toBe('mcp.github.search_issues')
    }
    expect(JSON.stringify(toolList(surface, 'anthropic'))).toBe(before)
  })

  it('a hit is a ref with a score and a reason, never a schema', async () => {
    const { surface } = await place()
    const { toolcrib } = await surface.search('search issues')
    expect(toolcrib.candidates[0]).toMatchObject({
      tool_id: 'mcp.github.search_issues',
      name: 'mcp__github__search_issues',
      loading_state: 'discoverable',
      selection_ref: 'select:mcp__github__search_issues',
      score: expect.any(Number),
      reason: expect.any(String),
      description: 'Searches the issues of a repository.',
    })
    expect(JSON.stringify(toolcrib)).not.toContain('properties')
  })
})
