import { describe, expect, it } from 'vitest'
import {
  defineHook,
  defineTool,
  loadedToolsIn,
  type CribOptions,
  type SurfaceRequest,
  type ToolResult,
} from 'toolcrib'
import { collect, onBothStores, openCrib, shownText } from '../../scenarios/open-crib.js'
import { clock, githubTools } from './github-tools.js'

const ISSUES = 'mcp.github.search_issues'
const select = { query: `select:${ISSUES}` }

async function place(options: CribOptions = {}, request: Partial<SurfaceRequest> = {}) {
  const crib = await openCrib({ tools: [clock, ...githubTools()], ...options })
  const surface = await crib.surface({ scope: 'turn', ...request })
  const search = (input: unknown) => crib.call(surface, { name: 'tool.search', input })
  return { crib, surface, search }
}

interface Found {
  query: string
  matches: string[]
  missing_names: string[]
  next_action: string
  toolcrib: { loaded: string[]; candidates: object[]; near_misses: object[]; tools?: object[]; way: string }
}
const foundIn = (result: ToolResult): Found => result.structured_content as Found

onBothStores('tool.search', (newStore) => {
  it('is on the list from the start, before any search, and stays when everything is loaded', async () => {
    const { surface } = await place({ store: newStore() })
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['local.clock', 'tool.search'])
    await surface.load(githubTools().map(({ toolId }) => toolId!))
    expect(surface.record.toolcrib).toMatchObject({ counts: { deferred: 0 } })
    expect(
      surface
        .tools()
        .map(({ toolId }) => toolId)
        .slice(0, 2),
    ).toEqual(['local.clock', 'tool.search'])
  })

  it('is absent if nothing is deferred', async () => {
    const crib = await openCrib({ store: newStore(), tools: [clock] })
    const surface = await crib.surface({ scope: 'turn' })
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['local.clock'])
    expect(crib.tool('tool.search')).toBeUndefined()
  })

  it('is absent from a surface without deferred tools, whatever other surfaces of the crib have', async () => {
    const { crib } = await place({ store: newStore() })
    const other = await crib.surface({ scope: 'turn', include: ['local.*'] })
    expect(other.tools().map(({ toolId }) => toolId)).toEqual(['local.clock'])
    expect((await crib.call(other, { name: 'tool.search', input: select })).is_error).toBe(true)
  })

  it('is added at the end of the list with the first deferred tool', async () => {
    const crib = await openCrib({ store: newStore(), tools: [clock] })
    const surface = await crib.surface({ scope: 'turn' })
    expect(surface.tools()).toHaveLength(1)
    await crib.add(githubTools(), 'mcp')
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['local.clock', 'tool.search'])
    const result = await crib.call(surface, { name: 'tool.search', input: select })
    expect(foundIn(result).toolcrib.loaded).toEqual([ISSUES])
  })

  it('is on a surface with deferred tools, though the surface does not include it by name', async () => {
    const { surface, search } = await place({ store: newStore() }, { include: ['mcp.github.*'] })
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['tool.search'])
    expect(foundIn(await search(select)).matches).toEqual([ISSUES])
  })

  it('is absent if the surface excludes it', async () => {
    const { surface } = await place({ store: newStore() }, { exclude: ['tool.search'] })
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['local.clock'])
  })

  it('loads exactly the selected tools, and reports unknown names', async () => {
    const { surface, search } = await place({ store: newStore() })
    const found = foundIn(await search({ query: `select:${ISSUES},nothing.here` }))
    expect(found).toMatchObject({
      matches: [ISSUES],
      missing_names: ['nothing.here'],
      next_action: 'call_tool',
    })
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['local.clock', 'tool.search', ISSUES])
  })

  it('loads the tools that match the words, up to the limit', async () => {
    const { surface, search } = await place({ store: newStore() })
    const found = foundIn(await search({ query: 'labels', limit: 2 }))
    expect(found.matches).toHaveLength(2)
    expect(found.toolcrib.loaded).toEqual(found.matches)
    expect(surface.tools()).toHaveLength(4)
  })

  it('answers a search without matches with the next action, and no error', async () => {
    const { search } = await place({ store: newStore() })
    const result = await search({ query: 'select:nothing.here' })
    expect(result.status).toBe('succeeded')
    expect(foundIn(result)).toMatchObject({
      matches: [],
      missing_names: ['nothing.here'],
      next_action: 'refine_query',
      toolcrib: { loaded: [], candidates: [] },
    })
    expect(shownText(result)).toContain('"nothing.here"')
    const words = await search({ query: 'zzyzx qwrtp' })
    expect(foundIn(words)).toMatchObject({ matches: [], next_action: 'refine_query' })
    expect(shownText(words)).toContain('No tool matches')
  })

  it('reports tools that are loaded already', async () => {
    const { search } = await place({ store: newStore() })
    expect(foundIn(await search({ query: 'select:local.clock' }))).toMatchObject({
      matches: ['local.clock'],
      next_action: 'call_tool',
      toolcrib: { loaded: ['local.clock'] },
    })
  })

  it('does not find itself', async () => {
    const { search } = await place({ store: newStore() }, { deferral: { way: 'pair' } })
    expect(foundIn(await search({ query: 'select:tool.search,tool.call' }))).toMatchObject({
      matches: [],
      missing_names: ['tool.search', 'tool.call'],
    })
  })

  it.each([
    [{}],
    [{ query: '' }],
    [{ query: '   ' }],
    [{ query: 5 }],
    [{ query: 'a', limit: 0 }],
    [{ query: 'a', limit: 21 }],
  ])('refuses %j before anything is searched', async (input) => {
    const { search } = await place({ store: newStore() })
    const { error } = await search(input)
    expect(error).toMatchObject({
      error_class: expect.stringMatching(/invalid_arguments|schema_validation_failed/),
    })
  })

  it('runs without approval, and is recorded like every call', async () => {
    const { crib, surface } = await place({ store: newStore(), permission: {} })
    const call = crib.call(surface, { name: 'tool.search', input: select })
    expect((await call).status).toBe('succeeded')
    const story = await crib.story(call.invocationId)
    expect(story!.decisions).toMatchObject([{ behavior: 'allow' }])
  })

  it('a rule that denies it removes it from the surface, and deferred tools stay unavailable', async () => {
    const { crib, surface } = await place({ store: newStore(), permission: { deny: ['tool.search'] } })
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['local.clock'])
    const result = await crib.call(surface, { name: 'tool.search', input: select })
    expect(result.is_error).toBe(true)
    expect(surface.tools()).toHaveLength(1)
  })

  it('an ask rule about it requires approval, and nothing is loaded before the answer', async () => {
    const asked: string[] = []
    const { surface, search } = await place({
      store: newStore(),
      permission: { ask: ['tool.search'] },
      approver: ({ toolId }) => {
        asked.push(`${toolId} ${surface.tools().length}`)
        return { approved: true, by: 'ann' }
      },
    })
    expect(foundIn(await search(select)).toolcrib.loaded).toEqual([ISSUES])
    expect(asked).toEqual(['tool.search 2'])
  })

  it('a hook may change the query', async () => {
    const { search } = await place({
      store: newStore(),
      hooks: [
        defineHook({
          id: 'other',
          event: 'pre_tool_use',
          run: () => ({ updatedInput: { query: 'select:mcp.github.list_labels' } }),
        }),
      ],
    })
    expect(foundIn(await search(select)).matches).toEqual(['mcp.github.list_labels'])
  })

  it('works in a batch and in the background', async () => {
    const { crib, surface } = await place({ store: newStore() })
    const results = await crib.batch(surface, [
      { name: 'tool.search', input: select },
      { name: 'tool.search', input: { query: 'select:mcp.github.list_labels' } },
      { name: 'clock' },
    ])
    expect(results.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded'])
    expect(surface.tools()).toHaveLength(4)
    const receipt = await crib.call(surface, {
      name: 'tool.search',
      input: { query: 'select:mcp.github.merge_labels' },
      runInBackground: true,
    })
    const task = await crib.task(receipt.invocation_id)
    const result = await task!.result()
    expect(foundIn(result).toolcrib.loaded).toEqual(['mcp.github.merge_labels'])
  })

  it('loaded tools stay loaded for the session, also in another process', async () => {
    const store = newStore()
    const first = await place({ store }, { session: 's1' })
    await first.search(select)
    const again = await first.crib.surface({ scope: 'turn', session: 's1' })
    expect(again.tools().map(({ toolId }) => toolId)).toEqual(['local.clock', 'tool.search', ISSUES])
  })

  it('no record contains secrets of a query', async () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const { crib, surface, search } = await place({ store: newStore() })
    const result = await search({ query: `select:${token}` })
    const found = await surface.search(`issues ${token}`)
    await crib.flush()
    const log = JSON.stringify(await collect(crib.events()))
    for (const kept of [log, JSON.stringify(result), JSON.stringify(found)]) {
      expect(kept).not.toContain(token)
      expect(kept).toContain('redacted')
    }
  })
})

describe('the ways of loading', () => {
  it('load: returns names and scores, no schemas', async () => {
    const { search } = await place()
    const result = await search(select)
    expect(foundIn(result).toolcrib).not.toHaveProperty('tools')
    expect(shownText(result)).toMatch(
      /^- mcp__github__search_issues \(1, .*\): Searches the issues of a repository\./,
    )
    expect(shownText(result)).not.toContain('"properties"')
  })

  it('pair: returns the schemas, and the list does not change', async () => {
    const { surface, search } = await place({}, { deferral: { way: 'pair' } })
    const before = surface.listed()
    expect(before.map(({ tool }) => tool.toolId)).toEqual(['local.clock', 'tool.call', 'tool.search'])
    const result = await search(select)
    expect(foundIn(result).toolcrib.tools).toEqual([
      {
        name: 'mcp__github__search_issues',
        description: 'Searches the issues of a repository. Takes words and labels.',
        input_schema: {
          type: 'object',
          properties: { query: { type: 'string' } },
          required: ['query'],
          additionalProperties: false,
        },
      },
    ])
    expect(shownText(result)).toContain('"required":["query"]')
    expect(surface.listed()).toEqual(before)
  })

  it('pair: long schemas are complete', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `field_${at}`,
        { type: 'string', description: 'A field. '.repeat(8) },
      ]),
    )
    const long = defineTool({
      name: 'long',
      description: 'Takes much.',
      shouldDefer: true,
      input: { jsonSchema: { type: 'object', properties } },
      execute: () => 1,
    })
    const { search } = await place({ tools: [long] }, { deferral: { way: 'pair' } })
    const result = await search({ query: 'select:local.long' })
    expect(result).not.toHaveProperty('persisted_payload_ref')
    expect(shownText(result)).toContain('field_299')
  })

  const wide = (name: string, fields: number) =>
    defineTool({
      name,
      description: `The tool ${name}.`,
      shouldDefer: true,
      isReadOnly: true,
      isOpenWorld: false,
      input: {
        jsonSchema: {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: fields }, (_, at) => [
              `field_${at}`,
              { type: 'string', description: 'A field. '.repeat(8) },
            ]),
          ),
        },
      },
      execute: () => name,
    })

  it.each([
    ['a limit of the surface', {}, { results: { maxInlineChars: 500 } }],
    [
      'a surface that drops results',
      {},
      { results: { persistence: 'drop_with_reason', maxInlineChars: 500 } },
    ],
    ['a surface that returns results by reference', {}, { results: { persistence: 'ref_only' } }],
    ['a limit of the crib', { results: { maxInlineLines: 1, maxInlineTokens: 20 } }, {}],
  ] as [string, CribOptions, Partial<SurfaceRequest>][])(
    'the loaded tools are listed completely, whatever the limits of results: %s',
    async (_what, options, request) => {
      for (const way of ['load', 'pair', 'native'] as const) {
        const tools = ['one', 'two'].map((name) => wide(name, 10))
        const { search } = await place({ tools, ...options }, { ...request, deferral: { way } })
        const result = await search({ query: 'select:one,two' })
        expect(foundIn(result).toolcrib.loaded).toEqual(['local.one', 'local.two'])
        expect(loadedToolsIn([shownText(result)])).toEqual(['local__one', 'local__two'])
        expect(shownText(result).includes('field_9')).toBe(way === 'pair')
        if (way !== 'load') expect(foundIn(result).toolcrib.tools).toHaveLength(2)
      }
    },
  )

  it('pair: loads as many as fit, and names the others for another search', async () => {
    const tools = ['one', 'two', 'three', 'four'].map((name) => wide(name, 70))
    const { crib, surface, search } = await place({ tools }, { deferral: { way: 'pair' } })
    const result = await search({ query: 'select:one,two,three,four' })
    expect(foundIn(result)).toMatchObject({
      matches: ['local.one', 'local.two', 'local.three', 'local.four'],
      next_action: 'call_tool',
      toolcrib: { loaded: ['local.one', 'local.two'], left_out: ['local.three', 'local.four'] },
    })
    expect(foundIn(result).toolcrib.tools).toHaveLength(2)
    expect(shownText(result)).toContain('Found too, not loaded: select:local__three,local__four')
    expect((await crib.call(surface, { name: 'three' })).error).toMatchObject({
      error_class: 'schema_not_loaded',
    })
    await search({ query: 'select:local__three,local__four' })
    expect((await crib.call(surface, { name: 'three' })).status).toBe('succeeded')
  })

  it.each(['pair', 'native'] as const)('%s: tools in the prompt are not defined twice', async (way) => {
    const { search } = await place({}, { deferral: { way } })
    const result = await search({ query: `select:local.clock,${ISSUES}` })
    const { loaded, tools } = foundIn(result).toolcrib
    expect(loaded).toEqual(['local.clock', ISSUES])
    expect(tools).toMatchObject([{ name: 'mcp__github__search_issues' }])
    expect(shownText(result)).toMatch(/^- local__clock \(1, .*, in your list\)/m)
    expect(loadedToolsIn([shownText(result)])).toEqual(['mcp__github__search_issues'])
  })

  it('pair and native are offered from the start even if nothing is deferred yet, and only pair has tool.call', async () => {
    const { surface } = await place({}, { deferral: { way: 'native' } })
    expect(surface.listed().map(({ tool }) => tool.toolId)).not.toContain('tool.call')
    const load = await place()
    expect((await load.crib.call(load.surface, { name: 'tool.call', input: {} })).is_error).toBe(true)
  })
})

describe('surface.search', () => {
  it.each([[undefined], [''], ['  '], [5], [null], [{}]])('refuses %j in a sentence', async (query) => {
    const { surface } = await place()
    await expect(surface.search(query as string)).rejects.toThrow(
      'surface.search takes a text that says what the tool should do, or "select:" and the names of tools.',
    )
  })

  it.each([0, 101, 1.5, '3'])('refuses the limit %j', async (limit) => {
    const { surface } = await place()
    await expect(surface.search('issues', { limit: limit as number })).rejects.toThrow(
      /"limit" must be a whole number/,
    )
  })

  it('loads nothing', async () => {
    const { surface } = await place()
    expect((await surface.search(select.query)).next_action).toBe('load_schema_then_call')
    expect(surface.tools()).toHaveLength(2)
  })

  it('reports a connecting provider, and waiting as the next action', async () => {
    let isConnecting = true
    const pending = defineTool({
      namespace: 'crm',
      name: 'customers',
      description: 'Finds customers.',
      isReadOnly: true,
      isOpenWorld: false,
      execute: () => 'found',
    })
    pending.availability.pendingProvider = () => (isConnecting ? 'crm' : undefined)
    const { crib, surface, search } = await place({ tools: [clock, pending] })
    const early = await surface.search('select:crm.customers')
    expect(early).toMatchObject({ pending_providers: ['crm'], next_action: 'wait_for_provider' })
    expect((await surface.search('zzyzx')).next_action).toBe('wait_for_provider')
    const result = await search({ query: 'select:crm.customers' })
    expect(foundIn(result).toolcrib.loaded).toEqual([])
    expect(shownText(result)).toContain('Still connecting: crm')
    isConnecting = false
    expect((await crib.call(surface, { name: 'crm.customers' })).status).toBe('succeeded')
    expect((await surface.search('select:crm.customers')).next_action).toBe('call_tool')
  })
})
