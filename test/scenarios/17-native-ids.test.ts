import { expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import { toExecutionProfile, toInterface } from '../../src/catalog/records/to-profiles.js'
import { collect, onBothStores, openCrib } from './open-crib.js'

onBothStores('[AT-SCEN-17] acceptance scenario 17: function tools keep their native ids', (newStore) => {
  it('[AR-CALL-01] [AT-MAP-01] the provider’s call id is on the invocation, the result, the events and in the executor', async () => {
    const seen: (string | undefined)[] = []
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'echo',
          description: 'Echoes.',
          isReadOnly: true,
          isOpenWorld: false,
          execute: (_input, { nativeCallId }) => {
            seen.push(nativeCallId)
            return 'ok'
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    // Providers may repeat ids; the portable id is always ours.
    const calls = ['toolu_01AbC', 'toolu_01AbC', 'call_9', undefined].map((nativeCallId) =>
      crib.call(surface, { name: 'echo', ...(nativeCallId !== undefined && { nativeCallId }) }),
    )
    const results = await Promise.all(calls)
    expect(new Set(calls.map(({ invocationId }) => invocationId)).size).toBe(4)
    expect(seen).toEqual(['toolu_01AbC', 'toolu_01AbC', 'call_9', undefined])
    expect(results.map(({ toolcrib }) => toolcrib!['native_call_id'])).toEqual(seen)
    const invocations = await Promise.all(calls.map(({ invocationId }) => crib.invocation(invocationId)))
    expect(invocations.map((invocation) => invocation!.native_call_id)).toEqual(seen)
    expect('native_call_id' in invocations[3]!).toBe(false)
    expect('native_call_id' in results[3]!.toolcrib!).toBe(false)
    const events = await collect(crib.events())
    const planned = events.filter(({ event_type: type }) => type === 'tool.invocation.planned')
    expect(planned.map(({ data }) => data!['native_call_id']).sort()).toEqual([...seen].sort())
    const created = events.filter(({ event_type: type }) => type === 'tool.result.created')
    expect(
      created
        .map(({ data }) => (data!['result'] as (typeof results)[number]).toolcrib!['native_call_id'])
        .sort(),
    ).toEqual([...seen].sort())
  })

  it('the id is recorded when the call never runs', async () => {
    const crib = await openCrib({ store: newStore() })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'nothing', nativeCallId: 'call_x' })
    expect((await call).toolcrib).toMatchObject({ native_call_id: 'call_x' })
    expect(await crib.invocation(call.invocationId)).toMatchObject({
      native_call_id: 'call_x',
      toolcrib: { requested_name: 'nothing' },
    })
  })

  it('the declaration maps to the function, or to the mapping that it states', async () => {
    const mapping = {
      source: 'mcp',
      server_id: 'github',
      method: 'tools/call',
      tool_name: 'search_issues',
      mcp_protocol_version: '2025-06-18',
      vendor_field: { kept: true },
    }
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({ namespace: 'a', name: 'plain', description: 'Plain.', execute: () => 1 }),
        defineTool({
          namespace: 'mcp.github',
          name: 'search_issues',
          description: 'Searches issues.',
          externalMappings: [mapping, { source: 'function', function_name: 'gh_search' }],
          execute: () => 1,
        }),
      ],
    })
    expect(crib.declaration('a.plain')!.external_mappings).toEqual([
      { source: 'function', function_name: 'plain' },
    ])
    const declared = crib.declaration('mcp.github.search_issues')!
    expect(declared.external_mappings![0]).toEqual(mapping)
    const tool = crib.tool('mcp.github.search_issues')!
    expect(toInterface(tool).external_mappings).toEqual(declared.external_mappings)
    expect(toExecutionProfile(tool).external_mappings).toEqual(declared.external_mappings)
    expect(toInterface(tool).native_ids).toEqual({
      server_id: 'github',
      method: 'tools/call',
      tool_name: 'search_issues',
      mcp_protocol_version: '2025-06-18',
      function_name: 'gh_search',
    })
    const event = (await collect(crib.events())).find(
      ({ data }) => (data?.['declaration'] as { tool_id?: string } | undefined)?.tool_id === tool.toolId,
    )
    expect(event!.data!['declaration']).toEqual(declared)
  })
})
