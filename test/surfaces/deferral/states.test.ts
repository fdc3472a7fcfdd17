import { describe, expect, it, vi } from 'vitest'
import { parseRecord, type DeferredToolRef, type Source, type SurfaceRequest } from 'toolcrib'
import { openCrib } from '../../scenarios/open-crib.js'
import { idsOf, tool, tools } from './make-tools.js'

const TURN: SurfaceRequest = { scope: 'turn' }

async function refOf(
  more: object,
  request: Partial<SurfaceRequest> = {},
): Promise<DeferredToolRef | undefined> {
  const crib = await openCrib({ tools: [tool('t', more)], permission: { deny: ['local.hidden'] } })
  const surface = await crib.surface({ ...TURN, ...request })
  const ref = surface.lookup('t')
  if (ref) expect(parseRecord('deferred_tool_ref', ref)).toMatchObject({ ok: true })
  return ref
}

describe('[AT-DEFER-02] [AT-DEFER-04] the state of a tool', () => {
  const hinted = { searchHint: 'do the thing', namespace: 'mcp.things' }

  it('loaded', async () => {
    expect(await refOf(hinted)).toEqual({
      schema_version: '0.2.0',
      tool_id: 'mcp.things.t',
      name: 't',
      namespace: 'mcp.things',
      search_hint: 'do the thing',
      source: 'function',
      schema_visibility: 'loaded',
      loading_state: 'loaded',
      selection_ref: 'select:mcp__things__t',
      native_ref: { source: 'function', function_name: 't' },
    })
  })

  it('discoverable, or only deferred where this caller cannot search', async () => {
    const later = { ...hinted, shouldDefer: true }
    const discoverable = {
      schema_visibility: 'deferred',
      loading_state: 'discoverable',
      reason: 'deferred_until_discovered',
      selection_ref: 'select:mcp__things__t',
    }
    expect(await refOf(later)).toMatchObject(discoverable)
    const runtimeOnly = await refOf(later, { selectionPolicy: { kind: 'runtime_only' } })
    expect(runtimeOnly).toMatchObject({ ...discoverable, loading_state: 'deferred' })
  })

  it('deferred, too, where the search is hidden', async () => {
    const crib = await openCrib({ tools: [tool('t', { shouldDefer: true })] })
    const without = await crib.surface({ ...TURN, exclude: ['tool.search'] })
    expect(without.lookup('t')!.loading_state).toBe('deferred')
    expect(without.record.deferred_tools![0]!.loading_state).toBe('deferred')
    const withSearch = await crib.surface({ ...TURN, deferral: { never: ['*'] } })
    expect(withSearch.lookup('t')!.loading_state).toBe('discoverable')
    expect(withSearch.tools().map(({ toolId }) => toolId)).toEqual(['tool.search'])
  })

  it('pending while its provider connects', async () => {
    expect(await refOf({ ...hinted, pendingProvider: () => 'things' })).toMatchObject({
      loading_state: 'pending_provider',
      reason: 'toolcrib.pending_provider',
      pending_provider_or_server: 'things',
    })
    const broken = () => {
      throw new Error('broken')
    }
    expect(await refOf({ ...hinted, pendingProvider: broken })).toMatchObject({
      loading_state: 'pending_provider',
      pending_provider_or_server: 'mcp.things',
    })
  })

  it('unavailable where there is another obstacle', async () => {
    const ref = await refOf({ ...hinted, requiredCredentials: ['key'] })
    expect(ref).toMatchObject({ loading_state: 'unavailable', reason: 'credential_missing' })
    expect(ref).not.toHaveProperty('selection_ref')
    expect(await refOf(hinted, { exclude: ['*'] })).toMatchObject({
      loading_state: 'unavailable',
      reason: 'toolcrib.not_selected',
    })
  })

  it('hidden where a rule denies it, even if it could not be used anyway', async () => {
    for (const more of [{}, { shouldDefer: true }, { isEnabled: false }, { lifecycle: 'disabled' }])
      expect(await refOf({ ...more, toolId: 'local.hidden' })).toBeUndefined()
  })
})

describe('a provider that is still connecting', () => {
  it('its tools are called again later', async () => {
    let isConnected = false
    let runs = 0
    const remote = tool('remote', {
      pendingProvider: () => (isConnected ? undefined : 'github'),
      execute: () => ++runs,
    })
    const crib = await openCrib({ tools: [remote, tool('a')] })
    const surface = await crib.surface(TURN)
    expect(surface.record.deferred_tools).toMatchObject([{ loading_state: 'pending_provider' }])
    expect(await surface.load(['remote'])).toMatchObject({ pending: ['local.remote'], loaded: [] })
    const early = await crib.call(surface, { name: 'remote' })
    expect(early.error).toMatchObject({
      error_class: 'dependency_unavailable',
      error_code: 'toolcrib.pending_provider',
      recoverability: 'retry_later',
    })
    expect(early.error!.message).toContain('github is still connecting; try again soon.')
    expect(runs).toBe(0)
    isConnected = true
    expect((await crib.call(surface, { name: 'remote' })).status).toBe('succeeded')
    expect(idsOf(surface)).toEqual(['local.a', 'local.remote'])
  })

  it('is named by its source', async () => {
    let pending = ['github', 'jira']
    const source = (more: Partial<Source>): Source => ({ name: 'mcp', list: async () => [], ...more })
    const broken = source({
      name: 'broken',
      pending() {
        throw new Error('broken')
      },
    })
    const crib = await openCrib({
      sources: [source({}), source({ pending: () => pending }), source({ pending: () => ['jira'] }), broken],
    })
    expect(crib.pendingProviders()).toEqual(['github', 'jira', 'broken'])
    pending = []
    expect(crib.pendingProviders()).toEqual(['jira', 'broken'])
  })
})

describe('the ways in which deferred tools reach a model', () => {
  const listed = async (way: 'load' | 'pair' | 'native') => {
    const crib = await openCrib({ tools: tools('a', 'b', 'c', 'd') })
    const surface = await crib.surface({ ...TURN, deferral: { budgetTokens: 150, always: ['b'], way } })
    const read = () =>
      surface.listed().map(({ tool: { draft }, isDeferred }) => (isDeferred ? `(${draft.name})` : draft.name))
    const before = read()
    await surface.load(['a'])
    await crib.add(tools('aa'))
    const { status } = await crib.call(surface, { name: 'a' })
    return { before, after: read(), tools: idsOf(surface), status }
  }

  it('load: a loaded tool is appended to the list', async () => {
    expect(await listed('load')).toEqual({
      before: ['b', 'search'],
      after: ['b', 'search', 'a'],
      tools: ['local.b', 'local.a'],
      status: 'succeeded',
    })
  })

  it('pair: the list stays, and a loaded tool may be called', async () => {
    expect(await listed('pair')).toEqual({
      before: ['b', 'call', 'search'],
      after: ['b', 'call', 'search'],
      tools: ['local.b', 'tool.call'],
      status: 'succeeded',
    })
  })

  it('native: all are listed, deferred ones are marked', async () => {
    expect(await listed('native')).toEqual({
      before: ['(a)', 'b', '(c)', '(d)', 'search'],
      after: ['(a)', 'b', '(c)', '(d)', 'search', '(aa)'],
      tools: ['local.b'],
      status: 'succeeded',
    })
  })
})

describe('a listener of the list', () => {
  it('is called when the list changes, and only then', async () => {
    const crib = await openCrib({ tools: tools('a', 'b', 'c') })
    const surface = await crib.surface({ ...TURN, deferral: { budgetTokens: 150, always: ['b'] } })
    let heard = 0
    const stop = surface.onChange(() => heard++)
    await surface.load(['a'])
    expect(heard).toBe(1)
    await surface.load(['a'])
    await crib.add(tools('deferred_from_the_start'))
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(heard).toBe(1)
    await crib.retire('a')
    // A surface with a listener is rebuilt in turns with other work.
    await expect.poll(() => heard).toBe(2)
    stop()
    await surface.load(['c'])
    expect(heard).toBe(2)
  })

  it('is called for a rule, and for a provider that connected, without a request', async () => {
    let isConnected = false
    const remote = tool('remote', { pendingProvider: () => (isConnected ? undefined : 'github') })
    const crib = await openCrib({ tools: [...tools('a', 'b'), remote] })
    const surface = await crib.surface(TURN)
    const next = () =>
      new Promise<void>((resolve) => {
        const stop = surface.onChange(() => {
          stop()
          resolve()
        })
      })
    const denied = next()
    const rules = ['local.a']
    await crib.policy.update({ type: 'add_rules', behavior: 'deny', rules, destination: 'session' })
    // Nothing else keeps the process alive while it waits.
    const awake = setInterval(() => {}, 1_000)
    await denied
    expect(idsOf(surface)).toEqual(['local.b'])
    const came = next()
    isConnected = true
    await came
    clearInterval(awake)
    expect(idsOf(surface)).toEqual(['local.b', 'local.remote'])
  })

  it('breaks nothing when it throws', async () => {
    const crib = await openCrib({ tools: tools('a', 'b', 'c') })
    const surface = await crib.surface({ ...TURN, deferral: { budgetTokens: 150, always: ['b'] } })
    let heard = 0
    surface.onChange(() => {
      throw new Error('broken')
    })
    surface.onChange(async () => Promise.reject(new Error('broken later')))
    surface.onChange(() => heard++)
    expect((await surface.load(['a'])).loaded).toEqual(['local.a'])
    expect(heard).toBe(1)
    expect((await crib.call(surface, { name: 'a' })).status).toBe('succeeded')
  })
})

describe('many tools of a provider that is still connecting', () => {
  it('are not all checked on every call, and yet all are there when it has connected', async () => {
    let asked = 0
    let isConnected = false
    const pendingProvider = () => {
      asked++
      return isConnected ? undefined : 'github'
    }
    const names = Array.from({ length: 500 }, (_, index) => `t${index}`)
    const crib = await openCrib({
      tools: [tool('a'), ...names.map((name) => tool(name, { pendingProvider }))],
    })
    const surface = await crib.surface(TURN)
    const frozen = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    surface.tools()
    const before = asked
    for (let looks = 0; looks < 20; looks++) surface.tools()
    frozen.mockRestore()
    expect(asked - before).toBe(20)
    isConnected = true
    expect(idsOf(surface)).toHaveLength(names.length + 1)
  })

  it('may connect one by one', async () => {
    const there = new Set<string>()
    const late = (name: string) =>
      tool(name, { pendingProvider: () => (there.has(name) ? undefined : 'github') })
    const crib = await openCrib({ tools: [late('a'), late('b'), late('c')] })
    const surface = await crib.surface(TURN)
    const changed = new Promise<void>((resolve) => void surface.onChange(resolve))
    there.add('a')
    const awake = setInterval(() => {}, 1_000)
    await changed
    clearInterval(awake)
    expect(idsOf(surface)).toEqual(['local.a'])
  })
})
