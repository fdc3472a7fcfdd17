import { expect, it } from 'vitest'
import { type SurfaceRequest } from 'toolcrib'
import { collect, onBothStores, openCrib } from '../../scenarios/open-crib.js'
import { idsOf, sent, tools } from './make-tools.js'

const TIGHT: SurfaceRequest = { scope: 'turn', deferral: { budgetTokens: 150, always: ['b'] } }

onBothStores('surface.load', (newStore) => {
  it('appends in the order in which tools are loaded', async () => {
    const crib = await openCrib({ store: newStore(), tools: tools('a', 'b', 'c', 'd') })
    const surface = await crib.surface(TIGHT)
    const before = sent(surface)
    expect(await surface.load(['local__d'])).toEqual({
      loaded: ['local.d'],
      already: [],
      missing: [],
      pending: [],
    })
    expect(await surface.load(['a', 'b', 'nobody', 'local.d'])).toEqual({
      loaded: ['local.a'],
      already: ['local.b', 'local.d'],
      missing: ['nobody'],
      pending: [],
    })
    expect(idsOf(surface)).toEqual(['local.b', 'local.d', 'local.a'])
    expect(sent(surface).slice(0, before.length)).toEqual(before)
    expect((await crib.call(surface, { name: 'd', input: {} })).status).toBe('succeeded')
  })

  it('is recorded in the log', async () => {
    const crib = await openCrib({ store: newStore(), tools: tools('a', 'b', 'c') })
    const surface = await crib.surface(TIGHT)
    await surface.load(['c'])
    const events = (await collect(crib.events())).filter(({ subject }) => subject === surface.id)
    expect(events.map(({ event_type: type }) => type)).toEqual([
      'tool.surface.created',
      'tool.deferred.loaded',
      'tool.surface.updated',
    ])
    expect(events[1]!.data).toMatchObject({
      surface_id: surface.id,
      tool_id: 'local.c',
      deferred_tool: { tool_id: 'local.c', loading_state: 'loaded', schema_visibility: 'loaded' },
    })
    expect((await collect(crib.surfaces({ tool: 'c' }))).map(({ surface_id: id }) => id)).toEqual([
      surface.id,
    ])
    expect(await collect(crib.surfaces({ tool: 'a' }))).toEqual([])
  })

  it('loads no denied tool, and reports it like one that does not exist', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: tools('a', 'b', 'secret'),
      permission: { deny: ['local.secret'] },
    })
    const surface = await crib.surface({ ...TIGHT, load: ['secret'] })
    expect((await surface.load(['secret', 'nobody'])).missing).toEqual(['secret', 'nobody'])
    expect(surface.lookup('secret')).toEqual(surface.lookup('nobody'))
    expect(idsOf(surface)).toEqual(['local.b'])
  })
})
