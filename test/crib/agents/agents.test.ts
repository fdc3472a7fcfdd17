import { describe, expect, it } from 'vitest'
import { memoryStore, sqliteStore, type Crib, type OfferedAgent, type Surface } from 'toolcrib'
import { agentOf, agentsSource } from '../../sources/agents-source.js'
import { openTemporaryFolder } from '../../temporary-folder.js'
import { openCrib } from '../../scenarios/open-crib.js'

const idsOf = (surface: Surface): string[] => surface.tools().map(({ toolId }) => toolId)

async function open(
  agents: Readonly<Record<string, OfferedAgent>>,
  more: Parameters<typeof openCrib>[0] = {},
) {
  const source = agentsSource({ agents })
  const crib = await openCrib({ store: memoryStore(), sources: [source], ...more })
  return { crib, source }
}

async function codesOf(crib: Crib, surface: Surface, count: number): Promise<string[]> {
  const codes: string[] = []
  for (let each = 0; each < count; each++) {
    const { error, status } = await crib.call(surface, { name: 'aml.desk.look', input: {} })
    codes.push(error?.error_code ?? status)
  }
  return codes
}

describe('the surface of an agent', () => {
  it('has its tools only, and options tighten it', async () => {
    const { crib } = await open({ helper: agentOf(['look', 'send']) })
    expect(crib.agents()).toEqual([{ name: 'helper', source: 'desk', state: 'ready' }])
    expect(idsOf(await crib.surface({ agent: 'helper' }))).toEqual(['aml.desk.look', 'aml.desk.send'])
    expect(idsOf(await crib.surface({ agent: 'desk.helper', include: ['*.send', '*.close'] }))).toEqual([
      'aml.desk.send',
    ])
    const narrow = await crib.surface({ agent: 'helper', exclude: ['send'] })
    expect(idsOf(narrow)).toEqual(['aml.desk.look'])
    expect(await crib.call(narrow, { name: 'aml.desk.close', input: {} })).toMatchObject({ is_error: true })
    expect(narrow.record.toolcrib).toMatchObject({
      filters: { agent: 'helper', include: ['aml.desk.look', 'aml.desk.send'] },
    })
    expect(crib.preview({ agent: 'helper' }).loaded).toHaveLength(2)
  })

  it('an unknown name is refused with the known ones', async () => {
    const { crib } = await open({
      helper: agentOf(['look']),
      broken: { problem: 'its ref "lok" is unknown.' },
    })
    await expect(crib.surface({ agent: 'helpr' })).rejects.toThrow(
      'There is no agent "helpr"; did you mean "helper"?',
    )
    await expect(crib.surface({ agent: 'zebra' })).rejects.toThrow(
      'There is no agent "zebra"; there is broken, helper.',
    )
    await expect(crib.surface({ agent: 'broken' })).rejects.toThrow(
      'The agent "broken" has no surface: its ref "lok" is unknown.',
    )
    await expect(crib.surface({ agent: '' })).rejects.toThrow(/"agent" is empty/)
    await expect((await open({})).crib.surface({ agent: 'helper' })).rejects.toThrow(
      /no source offers agents/,
    )
  })

  it('of two agents with one name, each is named with its source', async () => {
    const sources = ['desk', 'shop'].map((name) =>
      agentsSource({ name, agents: { helper: agentOf(['look']) } }),
    )
    const crib = await openCrib({ store: memoryStore(), sources })
    expect(crib.agents().map(({ name }) => name)).toEqual(['desk.helper', 'shop.helper'])
    await expect(crib.surface({ agent: 'helper' })).rejects.toThrow(/did you mean "desk.helper"/)
    expect(idsOf(await crib.surface({ agent: 'desk.helper' }))).toEqual(['aml.desk.look'])
    await crib.replaceSources([sources[1]!])
    expect(crib.agents().map(({ name }) => name)).toEqual(['helper'])
  })

  it('follows its agent: open surfaces are rebuilt, and empty where the agent is gone or broken', async () => {
    const seen: unknown[] = []
    const { crib, source } = await open(
      { helper: agentOf(['look']) },
      { onAgent: (status) => seen.push(status) },
    )
    const surface = await crib.surface({ agent: 'helper' })
    const other = await crib.surface()
    const { revision } = other.current()
    source.change({ helper: agentOf(['look', 'close']), fresh: agentOf([]) })
    await crib.caughtUp()
    expect(idsOf(surface)).toEqual(['aml.desk.look', 'aml.desk.close'])
    source.change({ helper: { problem: 'a ref is wrong.' } })
    await crib.caughtUp()
    expect(idsOf(surface)).toEqual([])
    expect(await crib.call(surface, { name: 'aml.desk.look', input: {} })).toMatchObject({ is_error: true })
    source.change({})
    await crib.caughtUp()
    expect(idsOf(surface)).toEqual([])
    source.change({ helper: agentOf(['look']) })
    await crib.caughtUp()
    expect(idsOf(surface)).toEqual(['aml.desk.look'])
    expect(other.current().revision).toBe(revision)
    expect(seen).toEqual([
      { name: 'helper', source: 'desk', state: 'ready' },
      { name: 'fresh', source: 'desk', state: 'ready' },
      { name: 'helper', source: 'desk', state: 'broken', problem: 'a ref is wrong.' },
      { name: 'fresh', source: 'desk', state: 'gone' },
      { name: 'helper', source: 'desk', state: 'gone' },
      { name: 'helper', source: 'desk', state: 'ready' },
    ])
  })

  it('tells listeners of the surface when the agent changes', async () => {
    const { crib, source } = await open({ helper: agentOf(['look']) })
    const surface = await crib.surface({ agent: 'helper' })
    const changed = new Promise<void>((resolve) => void surface.onChange(resolve))
    source.change({ helper: agentOf(['send']) })
    await changed
    expect(idsOf(surface)).toEqual(['aml.desk.send'])
  })

  it('approvals of the agent hold against every rule, and add to those of the request', async () => {
    const agent = agentOf(['look', 'send'], { approvalRequired: ['aml.desk.look'] })
    const { crib } = await open({ helper: agent }, { permission: { allow: ['*'], mode: 'bypass' } })
    const surface = await crib.surface({ agent: 'helper', approvalRequired: ['aml.desk.send'] })
    for (const name of ['aml.desk.look', 'aml.desk.send'])
      expect(await crib.call(surface, { name, input: {} })).toMatchObject({
        error: { error_code: 'toolcrib.nobody_to_ask_each_time' },
        // A rule would not help.
        ui_facing_summary: expect.stringMatching(
          /needs an approval each time .* change what the agent must ask about; no rule lifts this\.$/,
        ) as string,
      })
    expect(await crib.call(await crib.surface(), { name: 'aml.desk.look', input: {} })).toMatchObject({
      status: 'succeeded',
    })
  })

  it('tool choice: "none" lets no tool be called; the stricter of agent and request counts', async () => {
    const choice = (defaultToolChoice: 'none' | 'auto' | 'required') =>
      agentOf(['look'], { defaultToolChoice })
    const { crib } = await open({ reader: choice('none'), worker: choice('required'), free: choice('auto') })
    const recorded = async (agent: string, defaultToolChoice?: 'auto' | 'none' | { tool: string }) =>
      (await crib.surface({ agent, ...(defaultToolChoice && { defaultToolChoice }) })).record
        .default_tool_choice
    expect(await recorded('reader', 'auto')).toBe('none')
    expect(await recorded('reader', { tool: 'look' })).toBe('none')
    expect(await recorded('worker')).toBe('required')
    expect(await recorded('worker', 'auto')).toBe('required')
    expect(await recorded('worker', { tool: 'look' })).toEqual({ tool: 'look' })
    expect(await recorded('free', 'none')).toBe('none')
    const surface = await crib.surface({ agent: 'reader' })
    expect(await codesOf(crib, surface, 1)).toEqual(['toolcrib.tool_choice_none'])
  })
})

describe('calls that one run of an agent may make', () => {
  const limited = agentOf(['look', 'send'], { maxCallsPerRun: { 'aml.desk.look': 2 } })

  it('are counted by session and agent, and refused with the limit', async () => {
    const { crib } = await open({ helper: limited, twin: limited })
    const surface = await crib.surface({ agent: 'helper', session: 's1' })
    expect(await codesOf(crib, surface, 3)).toEqual(['succeeded', 'succeeded', 'toolcrib.budget_spent'])
    const { error } = await crib.call(surface, { name: 'look', input: {} })
    expect(error?.message).toBe(
      'The call was not made: this run has used up its 2 calls of the tool "aml.desk.look", the max_calls_per_run of the agent "helper". Go on without it, or ask for a new session or a higher limit.',
    )
    expect(error).toMatchObject({ toolcrib: { limit: { per_run: 2, agent: 'helper' } } })
    expect(await crib.call(surface, { name: 'send', input: {} })).toMatchObject({ status: 'succeeded' })
    const again = await crib.surface({ agent: 'helper', session: 's1' })
    expect(await codesOf(crib, again, 1)).toEqual(['toolcrib.budget_spent'])
    for (const request of [
      { agent: 'twin', session: 's1' },
      { agent: 'helper', session: 's2' },
      { session: 's1' },
    ])
      expect(await codesOf(crib, await crib.surface(request), 1)).toEqual(['succeeded'])
    const { limits } = await crib.limits()
    expect(limits[0]).toMatchObject({
      agent: 'helper',
      perRun: 2,
      counts: [{ of: { tool: 'aml.desk.look' }, runs: [{ run: { session: 's1' }, used: 2 }, { used: 1 }] }],
    })
  })

  it('the lower of the limits of agent and request counts, and a surface can have limits without an agent', async () => {
    const { crib } = await open({ helper: limited })
    const lower = await crib.surface({
      agent: 'helper',
      session: 's1',
      maxCallsPerRun: { 'aml.desk.look': 1 },
    })
    expect(await codesOf(crib, lower, 2)).toEqual(['succeeded', 'toolcrib.budget_spent'])
    const higher = await crib.surface({ agent: 'helper', session: 's2', maxCallsPerRun: { 'aml.*': 9 } })
    expect(await codesOf(crib, higher, 3)).toEqual(['succeeded', 'succeeded', 'toolcrib.budget_spent'])
    const plain = await crib.surface({ session: 's3', maxCallsPerRun: { 'aml.*': 1 } })
    expect(await codesOf(crib, plain, 2)).toEqual(['succeeded', 'toolcrib.budget_spent'])
    expect(await crib.call(plain, { name: 'send', input: {} })).toMatchObject({ status: 'succeeded' })
    await expect(crib.surface({ maxCallsPerRun: { look: 0 } })).rejects.toThrow(
      'crib.surface: "maxCallsPerRun" of "look" must be a whole number above 0, not 0.',
    )
  })

  it('survive a restart, are shared by cribs of one store, and follow a changed file', async () => {
    const folder = openTemporaryFolder()
    const store = () => sqliteStore({ path: folder.file('crib.db') })
    const first = await open({ helper: limited }, { store: store() })
    const second = await open({ helper: limited }, { store: store() })
    const request = { agent: 'helper', session: 's1' }
    expect(await codesOf(first.crib, await first.crib.surface(request), 1)).toEqual(['succeeded'])
    const surface = await second.crib.surface(request)
    expect(await codesOf(second.crib, surface, 2)).toEqual(['succeeded', 'toolcrib.budget_spent'])
    await first.crib.close()
    const third = await open({ helper: limited }, { store: store() })
    expect(await codesOf(third.crib, (await third.crib.openSurface(surface.id))!, 1)).toEqual([
      'toolcrib.budget_spent',
    ])
    third.source.change({ helper: agentOf(['look'], { maxCallsPerRun: { 'aml.desk.look': 3 } }) })
    await third.crib.caughtUp()
    expect(await codesOf(third.crib, await third.crib.surface(request), 2)).toEqual([
      'succeeded',
      'toolcrib.budget_spent',
    ])
  })
})
