import { describe, expect, it } from 'vitest'
import {
  defineTool,
  memoryStore,
  sqliteStore,
  type Crib,
  type SurfaceRequest,
  type ToolDraft,
} from 'toolcrib'
import { toolFormats, toolList } from 'toolcrib/formats'
import { surfaceScopes } from '../../src/contract/unions.js'
import { toolRef } from '../../src/catalog/records/tool-records.js'
import { collect, openCrib, temporaryStorePath } from '../scenarios/open-crib.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

const tool = (name: string, more: object = {}): ToolDraft =>
  defineTool({ name, description: `The tool ${name}.`, ...quiet, execute: () => name, ...more })

/** The visibility of the one tool, and its reason. */
async function visibilityOf(more: object, request: Partial<SurfaceRequest> = {}) {
  const crib = await openCrib({ tools: [tool('t', more)] })
  const { record } = await crib.surface({ scope: 'turn', ...request })
  for (const kind of ['deferred', 'blocked', 'excluded'] as const) {
    const hidden = record[`${kind}_tools`]!.find(({ tool_id }) => tool_id === 'local.t')
    if (hidden) return [kind, hidden.reason]
  }
  return record.loaded_tools!.includes('local.t') ? 'loaded' : 'nowhere'
}

describe('[AT-SURF-01] the record of a surface', () => {
  it.each(surfaceScopes)('of the scope %s has every field', async (scope) => {
    const crib = await openCrib({ tools: [tool('a'), tool('b', { shouldDefer: true })], actor: 'agent:1' })
    const surface = await crib.surface({
      scope,
      session: 's1',
      role: 'reader',
      reason: 'a test',
      modelCapabilities: { strict: true },
      policyRefs: ['policy:1'],
      runtimeRefs: ['runtime:1'],
      capabilityRequirements: [],
    })
    expect(surface.record).toMatchObject({
      schema_version: '0.2.0',
      surface_id: surface.id,
      scope,
      producer: 'toolcrib',
      tool_refs: ['local.a', 'tool.search', 'local.b'].map((id) => toolRef(crib.tool(id)!)),
      loaded_tools: ['local.a', 'tool.search'],
      deferred_tools: [{ tool_id: 'local.b' }],
      blocked_tools: [],
      excluded_tools: [],
      selection_policy: { kind: 'any' },
      default_tool_choice: 'auto',
      capability_requirements: [],
      model_capabilities: { strict: true },
      role_constraints: { role: 'reader', depth: 0, mode: 'default' },
      policy_refs: ['policy:1'],
      runtime_refs: ['runtime:1'],
      surface_reason: 'a test',
      toolcrib: { revision: 1, actor: 'agent:1', session: 's1' },
    })
    expect(new Date(surface.record.created_at!).toISOString()).toBe(surface.record.created_at)
    expect(await collect(crib.surfaces())).toEqual([surface.record])
  })

  it('[AT-DEFER-02] names what a caller needs to find a deferred tool', async () => {
    const crib = await openCrib({
      tools: [
        tool('search_issues', { namespace: 'mcp.github', shouldDefer: true, searchHint: 'search issues' }),
      ],
    })
    const { record } = await crib.surface({ scope: 'turn' })
    expect(record.deferred_tools).toEqual([
      {
        schema_version: '0.2.0',
        tool_id: 'mcp.github.search_issues',
        name: 'search_issues',
        namespace: 'mcp.github',
        search_hint: 'search issues',
        source: 'function',
        schema_visibility: 'deferred',
        loading_state: 'discoverable',
        reason: 'deferred_until_discovered',
        selection_ref: 'select:mcp__github__search_issues',
        native_ref: { source: 'function', function_name: 'search_issues' },
      },
    ])
  })
})

describe('[AT-MODEL-03] [AT-SURF-03] [AT-DECL-03] each filter and its reason', () => {
  const rows: [string, object, Partial<SurfaceRequest>, unknown][] = [
    ['lifecycle available', {}, {}, 'loaded'],
    ['lifecycle deprecated', { lifecycle: 'deprecated' }, {}, ['deferred', 'toolcrib.lifecycle']],
    ['lifecycle deprecated, named', { lifecycle: 'deprecated' }, { include: ['local.t'] }, 'loaded'],
    ['lifecycle draft', { lifecycle: 'draft' }, {}, ['excluded', 'toolcrib.lifecycle']],
    ['lifecycle retired', { lifecycle: 'retired' }, {}, ['excluded', 'toolcrib.lifecycle']],
    ['lifecycle disabled', { lifecycle: 'disabled' }, {}, ['blocked', 'toolcrib.disabled']],
    ['lifecycle requires_setup', { lifecycle: 'requires_setup' }, {}, ['blocked', 'setup_required']],
    ['lifecycle deferred', { lifecycle: 'deferred' }, {}, ['deferred', 'deferred_until_discovered']],
    ['switched off', { isEnabled: false }, {}, ['blocked', 'toolcrib.disabled']],
    ['switched off by a function', { isEnabled: () => false }, {}, ['blocked', 'toolcrib.disabled']],
    ['a switch that is not boolean', { isEnabled: () => 'yes' }, {}, ['blocked', 'toolcrib.disabled']],
    [
      'a switch that throws',
      {
        isEnabled: () => {
          throw new Error('broken')
        },
      },
      {},
      ['blocked', 'toolcrib.disabled'],
    ],
    ['switched on', { isEnabled: () => true }, {}, 'loaded'],
    ['no role', { roles: ['admin'] }, {}, ['excluded', 'role_not_allowed']],
    ['another role', { roles: ['admin'] }, { role: 'guest' }, ['excluded', 'role_not_allowed']],
    ['the role', { roles: ['admin', 'root'] }, { role: 'root' }, 'loaded'],
    ['recursion at the top', { isRecursive: true }, {}, 'loaded'],
    ['recursion below', { isRecursive: true }, { depth: 1 }, ['excluded', 'recursive_tool_forbidden']],
    ['no workspace', { workspaces: ['/w'] }, {}, ['excluded', 'toolcrib.workspace_mismatch']],
    [
      'another workspace',
      { workspaces: ['/w'] },
      { workspace: '/v' },
      ['excluded', 'toolcrib.workspace_mismatch'],
    ],
    ['the workspace', { workspaces: ['/w'] }, { workspace: '/w' }, 'loaded'],
    [
      'another platform',
      { platforms: ['win32'] },
      { platform: 'linux' },
      ['excluded', 'toolcrib.platform_unsupported'],
    ],
    ['the platform', { platforms: ['win32'] }, { platform: 'win32' }, 'loaded'],
    ['this platform', { platforms: [process.platform] }, {}, 'loaded'],
    ['no skill', { skills: ['pdf'] }, {}, ['excluded', 'toolcrib.skill_inactive']],
    ['the skill', { skills: ['pdf'] }, { skills: ['pdf', 'x'] }, 'loaded'],
    ['a model without it', { modelRequirements: ['vision'] }, {}, ['excluded', 'model_unsupported']],
    [
      'a model without it',
      { modelRequirements: ['vision'] },
      { modelCapabilities: { vision: false } },
      ['excluded', 'model_unsupported'],
    ],
    [
      'a model with it',
      { modelRequirements: ['vision'] },
      { modelCapabilities: { vision: 'png' } },
      'loaded',
    ],
    [
      'a feature that is off',
      { featureGates: ['a', 'b'] },
      { features: ['a'] },
      ['excluded', 'feature_disabled'],
    ],
    ['features that are on', { featureGates: ['a', 'b'] }, { features: ['b', 'a'] }, 'loaded'],
    [
      'a write in plan mode',
      { isReadOnly: false },
      { mode: 'plan' },
      ['blocked', 'toolcrib.mode_forbids_writes'],
    ],
    [
      'an unstated write in plan mode',
      { isReadOnly: undefined },
      { mode: 'plan' },
      ['blocked', 'toolcrib.mode_forbids_writes'],
    ],
    ['a read in plan mode', {}, { mode: 'plan' }, 'loaded'],
    ['a read-only function in plan mode', { isReadOnly: () => true }, { mode: 'plan' }, 'loaded'],
    [
      'a person, and none available',
      { requiresUserInteraction: true },
      { mode: 'non_interactive' },
      ['blocked', 'toolcrib.human_required'],
    ],
    ['a person', { requiresUserInteraction: true }, {}, 'loaded'],
    ['a missing credential', { requiredCredentials: ['github'] }, {}, ['blocked', 'credential_missing']],
    ['a credential', { requiredCredentials: ['github'] }, { credentials: ['github'] }, 'loaded'],
    ['a missing setup', { requiresSetup: () => 'Log in.' }, {}, ['blocked', 'setup_required']],
    ['a done setup', { requiresSetup: () => undefined }, {}, 'loaded'],
    ['a done setup that returns false', { requiresSetup: () => false }, {}, 'loaded'],
    ['a done setup that returns null', { requiresSetup: () => null }, {}, 'loaded'],
    ['a missing setup that says true', { requiresSetup: () => true }, {}, ['blocked', 'setup_required']],
    ['a setup that says 0', { requiresSetup: () => 0 }, {}, ['blocked', 'setup_required']],
    ['a setup that is awaited', { requiresSetup: async () => undefined }, {}, ['blocked', 'setup_required']],
    [
      'a setup that throws',
      {
        requiresSetup: () => {
          throw new Error('broken')
        },
      },
      {},
      ['blocked', 'setup_required'],
    ],
    ['to be deferred', { shouldDefer: true }, {}, ['deferred', 'deferred_until_discovered']],
    ['deferred and loaded by name', { shouldDefer: true }, { load: ['local.t'] }, 'loaded'],
    ['deferred and always loaded', { shouldDefer: true, alwaysLoad: true }, {}, 'loaded'],
    ['excluded by name', {}, { exclude: ['t'] }, ['excluded', 'toolcrib.not_selected']],
    ['excluded by alias', { aliases: ['u'] }, { exclude: ['u'] }, ['excluded', 'toolcrib.not_selected']],
    ['excluded by provider name', {}, { exclude: ['local__t'] }, ['excluded', 'toolcrib.not_selected']],
    ['excluded by pattern', {}, { exclude: ['local.*'] }, ['excluded', 'toolcrib.not_selected']],
    ['not included', {}, { include: ['other.*'] }, ['excluded', 'toolcrib.not_selected']],
    [
      'included and excluded',
      {},
      { include: ['*'], exclude: ['*.t'] },
      ['excluded', 'toolcrib.not_selected'],
    ],
    ['included by pattern', {}, { include: ['lo*.*'] }, 'loaded'],
    ['nothing is included', {}, { include: [] }, ['excluded', 'toolcrib.not_selected']],
    [
      'not among the only ones',
      {},
      { selectionPolicy: { kind: 'only', tools: ['x'] } },
      ['excluded', 'toolcrib.not_selected'],
    ],
    ['among the only ones', {}, { selectionPolicy: { kind: 'only', tools: ['t'] } }, 'loaded'],
    ['not the chosen one', {}, { defaultToolChoice: { tool: 'x' } }, ['excluded', 'toolcrib.not_selected']],
    ['the chosen one', {}, { defaultToolChoice: { tool: 'local.t' } }, 'loaded'],
    // Permanent obstacles are reported before removable ones.
    [
      'both role and credential',
      { roles: ['a'], requiredCredentials: ['c'] },
      {},
      ['excluded', 'role_not_allowed'],
    ],
    [
      'both credential and deferral',
      { shouldDefer: true, requiredCredentials: ['c'] },
      {},
      ['blocked', 'credential_missing'],
    ],
  ]

  it.each(rows)('%s', async (_name, more, request, expected) => {
    expect(await visibilityOf(more, request)).toEqual(expected)
  })

  it('patterns match as written, and a hostile one costs little', async () => {
    expect(await visibilityOf({}, { exclude: ['local.?', 'l.cal.t', 'LOCAL.T', '(local.t)'] })).toBe('loaded')
    expect(await visibilityOf({}, { exclude: [`${'*a'.repeat(25)}*`] })).toBe('loaded')
  })
})

describe('calls on a surface', () => {
  it('without options it is for a session, and a tool itself can be called on it', async () => {
    const echo = defineTool({
      name: 'echo',
      description: 'Gives back a text.',
      ...quiet,
      input: { jsonSchema: { type: 'object', properties: { text: { type: 'string' } } } },
      execute: (input) => input,
    })
    const crib = await openCrib({ tools: [echo] })
    const surface = await crib.surface()
    expect(surface.record.scope).toBe('session')
    const result = await crib.call(surface, echo, { text: 'hi' }, { nativeCallId: 'call_1' })
    expect(result).toMatchObject({ status: 'succeeded', structured_content: { text: 'hi' } })
    expect(await crib.invocation(result.invocation_id)).toMatchObject({
      tool_id: 'local.echo',
      native_call_id: 'call_1',
    })
  })

  it('a tool choice of none offers the tools for reading only', async () => {
    const crib = await openCrib({ tools: [tool('t')] })
    const surface = await crib.surface({ scope: 'turn', defaultToolChoice: 'none' })
    expect(surface.tools()).toHaveLength(1)
    expect((await crib.call(surface, { name: 't' })).error).toMatchObject({
      error_class: 'blocked_tool',
      error_code: 'toolcrib.tool_choice_none',
    })
  })

  it('a policy of runtime_only lets only the runtime choose', async () => {
    const crib = await openCrib({ tools: [tool('t')] })
    const surface = await crib.surface({ scope: 'turn', selectionPolicy: { kind: 'runtime_only' } })
    expect((await crib.call(surface, { name: 't' })).error?.error_code).toBe('toolcrib.runtime_selects')
    expect((await crib.call(surface, { name: 't', requestedBy: 'model' })).is_error).toBe(true)
    const call = crib.call(surface, { name: 't', requestedBy: 'runtime' })
    expect((await call).status).toBe('succeeded')
    expect((await crib.invocation(call.invocationId))!.toolcrib).toMatchObject({ requested_by: 'runtime' })
  })

  it("a required choice is kept for the model's host", async () => {
    const crib = await openCrib({ tools: [tool('t')] })
    const surface = await crib.surface({ scope: 'turn', defaultToolChoice: 'required' })
    expect(surface.record.default_tool_choice).toBe('required')
    expect((await crib.call(surface, { name: 't' })).status).toBe('succeeded')
  })

  it('a requirement that no loaded tool meets stops every call with what is missing', async () => {
    const crib = await openCrib({
      tools: [
        tool('t', { capabilityRefs: ['read'] }),
        tool('u', { capabilityRefs: ['write'], shouldDefer: true }),
      ],
    })
    const gap = await crib.surface({ scope: 'turn', capabilityRequirements: ['read', 'write'] })
    expect(gap.record.toolcrib).toMatchObject({ capability_gaps: ['write'] })
    expect((await crib.call(gap, { name: 't' })).error).toMatchObject({
      error_class: 'capability_gap',
      toolcrib: { missing: ['write'] },
    })
    await gap.update({ load: ['u'] })
    expect((await crib.call(gap, { name: 't' })).status).toBe('succeeded')
  })

  it('[AT-DEFER-01] a deferred tool is refused with how to load it, then called', async () => {
    const crib = await openCrib({ tools: [tool('t', { shouldDefer: true })] })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 't', input: { anything: true } })
    const { error } = await call
    expect(error).toMatchObject({ error_class: 'schema_not_loaded', recoverability: 'discover_first' })
    expect(error!.message).toContain('select:local__t')
    expect((await crib.invocation(call.invocationId))!.status).toBe('blocked')
    await surface.update({ load: ['local.t'] })
    expect((await crib.call(surface, { name: 't' })).status).toBe('succeeded')
  })
})

describe('a surface over time', () => {
  const updates = async (crib: Crib) =>
    (await collect(crib.events()))
      .filter(({ event_type: type }) => type.startsWith('tool.surface.'))
      .map(({ event_type: type, data }) => {
        const record = data!['surface'] as { toolcrib: { revision: number; differs?: unknown } }
        return [type, record.toolcrib.revision, record.toolcrib.differs]
      })

  it('has the same order, however the tools were registered', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `tool_${index}`)
    const shuffled = names.toSorted((a, b) => (a.at(-1)! + a < b.at(-1)! + b ? 1 : -1))
    const orders: string[][] = []
    for (const each of [names, shuffled, names.toReversed()]) {
      const crib = await openCrib({ tools: each.map((name) => tool(name)) })
      const surface = await crib.surface({ scope: 'turn' })
      orders.push(surface.tools().map(({ toolId }) => toolId))
      expect(surface.record.loaded_tools).toEqual(orders[0])
    }
    expect(orders[1]).toEqual(orders[0])
    expect(orders[2]).toEqual(orders[0])
  })

  it('is rebuilt when the catalog changes, and reports the difference', async () => {
    const crib = await openCrib({ tools: [tool('a')] })
    const surface = await crib.surface({ scope: 'turn' })
    const added = await crib.add([tool('b')])
    expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['local.a', 'local.b'])
    added.dispose()
    expect((await crib.call(surface, { name: 'b' })).error?.error_class).toBe('unknown_tool')
    await crib.retire('a')
    expect(surface.record.loaded_tools).toEqual([])
    expect(await updates(crib)).toEqual([
      ['tool.surface.created', 1, undefined],
      ['tool.surface.updated', 2, { loaded_added: 1, loaded_removed: 0, added: ['local.b'], removed: [] }],
      ['tool.surface.updated', 3, { loaded_added: 0, loaded_removed: 1, added: [], removed: ['local.b'] }],
      ['tool.surface.updated', 4, { loaded_added: 0, loaded_removed: 1, added: [], removed: ['local.a'] }],
    ])
    expect(surface.record.surface_id).toBe(surface.id)
  })

  it.each<[string, object, Partial<SurfaceRequest>]>([
    ['role', { roles: ['admin'] }, { role: 'admin' }],
    ['credentials', { requiredCredentials: ['c'] }, { credentials: ['c'] }],
    ['workspace', { workspaces: ['/w'] }, { workspace: '/w' }],
    ['skills', { skills: ['s'] }, { skills: ['s'] }],
    ['model capabilities', { modelRequirements: ['m'] }, { modelCapabilities: { m: true } }],
    ['features', { featureGates: ['f'] }, { features: ['f'] }],
    ['load', { shouldDefer: true }, { load: ['t'] }],
    ['include', {}, { include: ['t'] }],
  ])('is rebuilt when its %s change', async (_field, more, changes) => {
    const crib = await openCrib({ tools: [tool('t', more)] })
    const surface = await crib.surface({ scope: 'turn', include: changes.include ? [] : ['*'] })
    expect(surface.tools().map(({ toolId }) => toolId)).not.toContain('local.t')
    expect((await crib.call(surface, { name: 't' })).is_error).toBe(true)
    expect(await surface.update(changes)).toBe(surface)
    expect((await crib.call(surface, { name: 't' })).status).toBe('succeeded')
    expect((await updates(crib)).at(-1)).toEqual([
      'tool.surface.updated',
      2,
      { loaded_added: 1, loaded_removed: 0, added: ['local.t'], removed: [] },
    ])
    expect(surface.request).toMatchObject(changes)
  })

  it('is not rebuilt without a reason', async () => {
    const crib = await openCrib({ tools: [tool('a')] })
    const surface = await crib.surface({ scope: 'turn' })
    for (let round = 0; round < 3; round++) await crib.call(surface, { name: 'a' })
    expect(surface.record).toBe(surface.record)
    expect(await updates(crib)).toHaveLength(1)
  })

  it('is found by actor, session, tool and time', async () => {
    const crib = await openCrib({ tools: [tool('a'), tool('b')] })
    const first = await crib.surface({ scope: 'turn', actor: 'x', session: 's', include: ['a'] })
    const second = await crib.surface({ scope: 'turn', actor: 'y', include: ['b'] })
    const ids = async (query: object) => (await collect(crib.surfaces(query))).map((s) => s.surface_id)
    expect(await ids({ actor: 'x' })).toEqual([first.id])
    expect(await ids({ session: 's' })).toEqual([first.id])
    expect(await ids({ tool: 'b' })).toEqual([second.id])
    expect(await ids({ since: Date.now() + 60_000 })).toEqual([])
    expect((await ids({})).sort()).toEqual([first.id, second.id].sort())
    expect(await ids({ tenant: 'other' })).toEqual([])
  })
})

describe('[AT-SURF-02] a surface of 5,000 tools', () => {
  it.each(['memory', 'sqlite'])(
    'has a small record in a %s store, and a full one on request',
    async (kind) => {
      const store = kind === 'memory' ? memoryStore() : sqliteStore({ path: temporaryStorePath() })
      const crib = await openCrib({
        store,
        tools: Array.from({ length: 5000 }, (_, index) => tool(`tool_number_${index}`)),
      })
      const surface = await crib.surface({ scope: 'turn' })
      const [stored] = await collect(crib.surfaces())
      expect(JSON.stringify(stored).length).toBeLessThan(20_000)
      expect(stored).toEqual(surface.record)
      expect(stored).not.toHaveProperty('loaded_tools')
      expect(stored!.toolcrib).toMatchObject({
        counts: { loaded: 5000, deferred: 0, blocked: 0, excluded: 0 },
      })
      expect(surface.fullRecord().loaded_tools).toHaveLength(5000)
      await surface.update({ exclude: ['*_7*'] })
      expect(JSON.stringify(surface.record).length).toBeLessThan(20_000)
      const counts = surface.record.toolcrib!['counts'] as {
        loaded: number
        excluded: number
        by_reason: object
      }
      expect(counts.loaded + counts.excluded).toBe(5000)
      expect(counts.by_reason).toEqual({ 'toolcrib.not_selected': counts.excluded })
      expect(surface.fullRecord().excluded_tools).toHaveLength(counts.excluded)
    },
  )
})

describe('a surface follows the switches of its tools', () => {
  const flips: [string, (isOn: () => boolean) => object, string][] = [
    ['isEnabled', (isOn) => ({ isEnabled: isOn }), 'toolcrib.disabled'],
    [
      'requiresSetup',
      (isOn) => ({ requiresSetup: () => (isOn() ? undefined : 'Log in.') }),
      'setup_required',
    ],
  ]
  it.each(flips)('when %s changes, both ways', async (_name, options, reason) => {
    let isOn = true
    const crib = await openCrib({
      tools: [
        tool(
          't',
          options(() => isOn),
        ),
        tool('other'),
      ],
    })
    const surface = await crib.surface({ scope: 'session' })
    const listed = () => surface.tools().map(({ draft }) => draft.name)
    expect(listed()).toContain('t')
    isOn = false
    expect(listed()).toEqual(['other'])
    expect(surface.record.blocked_tools).toMatchObject([{ tool_id: 'local.t', reason }])
    expect((await crib.call(surface, { name: 't' })).is_error).toBe(true)
    isOn = true
    expect(listed()).toContain('t')
    expect((await crib.call(surface, { name: 't' })).is_error).toBe(false)
  })

  it('a problem with another wording is no change: nothing is written again', async () => {
    let asked = 0
    const crib = await openCrib({ tools: [tool('t', { requiresSetup: () => `Log in (${asked++}).` })] })
    const surface = await crib.surface({ scope: 'session' })
    const { toolcrib } = surface.record
    for (let time = 0; time < 3; time++) surface.tools()
    expect(surface.record.toolcrib!['revision']).toBe(toolcrib!['revision'])
  })
})

describe('a deprecated tool', () => {
  const old = (lifecycle: string) => tool('old', { lifecycle, description: 'Counts words in a text.' })
  const names = (list: readonly { draft: { name: string } }[]) => list.map(({ draft }) => draft.name)

  it('[AT-SURF-07] is not newly selected, and callers that know it can still call it', async () => {
    const crib = await openCrib({ tools: [old('deprecated'), tool('new')] })
    const surface = await crib.surface({ scope: 'turn' })
    expect(names(surface.tools())).toEqual(['new'])
    surface.current()
    expect(names(surface.listed().map(({ tool: each }) => each))).toEqual(['new'])
    expect((await crib.call(surface, { name: 'old' })).is_error).toBe(false)
    expect(surface.record).toMatchObject({
      loaded_tools: ['local.new'],
      deferred_tools: [
        { tool_id: 'local.old', schema_visibility: 'deferred', loading_state: 'discoverable' },
      ],
      toolcrib: { counts: { loaded: 1, deferred: 1, by_reason: { 'toolcrib.lifecycle': 1 } } },
    })
  })

  it.each<[string, Partial<SurfaceRequest>]>([
    ['named by the request', { include: ['local.old', 'local.new'] }],
    ['to be loaded', { load: ['old'] }],
  ])('is listed where it is %s, marked as such in every format', async (_how, request) => {
    const crib = await openCrib({ tools: [old('deprecated'), tool('new')] })
    const surface = await crib.surface({ scope: 'turn', ...request })
    expect(names(surface.tools()).toSorted()).toEqual(['new', 'old'])
    for (const format of toolFormats) {
      const list = JSON.stringify(toolList(surface, format))
      expect(list, format).toMatch(/"Deprecated: [^"]* Counts words in a text\."/)
      expect(list.match(/Deprecated/g), format).toHaveLength(1)
    }
  })

  it('stays on the list of a conversation that had it before', async () => {
    const crib = await openCrib({ tools: [tool('new')] })
    const added = await crib.add([old('available')], 'plugin')
    const surface = await crib.surface({ scope: 'session', session: 's' })
    expect(names(surface.tools())).toContain('old')
    await added.replace([old('deprecated')])
    expect(names(surface.tools())).toContain('old')
    expect(names((await crib.surface({ scope: 'session', session: 'other' })).tools())).not.toContain('old')
  })

  it('comes last in search results, and can be loaded then', async () => {
    const same = { description: 'Counts words in a text.', searchHint: 'count words' }
    const crib = await openCrib({
      tools: [
        tool('count_words', { ...same, lifecycle: 'deprecated' }),
        tool('measure', { description: 'Measures a text, its words too.' }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const { matches, toolcrib, next_action } = await surface.search('count words in a text')
    expect(toolcrib.candidates.map((each) => each.schema_visibility)).toEqual(['loaded', 'deferred'])
    expect(next_action).toBe('load_schema_then_call')
    expect(matches).toEqual(['local.measure', 'local.count_words'])
    expect((await surface.load(['count_words'])).loaded).toEqual(['local.count_words'])
    expect(names(surface.tools())).toContain('count_words')
  })
})
