import { expect, it } from 'vitest'
import { parseRecord } from '../../src/contract/index.js'
import { githubTools } from '../crib/discovery/github-tools.js'
import { onBothStores, openCrib } from './open-crib.js'

/** The standard's example: a server with many tools, of which names and hints are shown first. */
onBothStores('the standard’s example of deferred discovery', (newStore) => {
  async function place() {
    const crib = await openCrib({ store: newStore() })
    await crib.add(githubTools(), 'mcp')
    return crib.surface({ scope: 'turn' })
  }

  it('[AT-EX-02] [AT-EX-09] [AT-DEFER-02] [AT-DEFER-04] the surface has every field of the example', async () => {
    const surface = await place()
    const { schema_version, surface_id, scope, loaded_tools, deferred_tools } = surface.record
    expect({ schema_version, scope, loaded_tools }).toEqual({
      schema_version: '0.2.0',
      scope: 'turn',
      loaded_tools: ['tool.search'],
    })
    expect(surface_id).toMatch(/^surface_/)
    expect(deferred_tools).toHaveLength(31)
    expect(deferred_tools!.find(({ tool_id }) => tool_id === 'mcp.github.search_issues')).toMatchObject({
      tool_id: 'mcp.github.search_issues',
      name: 'mcp__github__search_issues',
      namespace: 'mcp.github',
      search_hint: 'search repository issues',
      source: 'mcp',
      schema_visibility: 'deferred',
      loading_state: 'discoverable',
      native_ref: { server_name: 'github', tool_name: 'search_issues' },
    })
  })

  it('[AT-DEFER-05] the search by exact name has every field of the example', async () => {
    const surface = await place()
    const found = await surface.search('select:mcp__github__search_issues')
    expect(found).toMatchObject({
      schema_version: '0.2.0',
      query: 'select:mcp__github__search_issues',
      query_type: 'select',
      matches: ['mcp.github.search_issues'],
      total_deferred_tools: 31,
      pending_providers: [],
      missing_names: [],
      next_action: 'load_schema_then_call',
    })
    expect(parseRecord('tool_search_result', found)).toMatchObject({ ok: true })
  })
})
