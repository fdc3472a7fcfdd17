import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defineTool, sqliteStore, type Crib, type Surface, type SurfaceRequest } from 'toolcrib'
import { onBothStores, openCrib, temporaryStorePath } from '../../scenarios/open-crib.js'
import { idsOf, sent, tool, tools } from './make-tools.js'
import { documentsOf } from '../../storage/make-records.js'

const deferral = { budgetTokens: 150, always: ['b'] }
const SESSION: SurfaceRequest = { scope: 'session', session: 's1', actor: 'ann', deferral }

async function reopened(path: string, crib: Crib, names = ['a', 'b', 'c', 'd']): Promise<Crib> {
  await crib.close()
  return openCrib({ store: sqliteStore({ path }), tools: tools(...names) })
}

describe('the tools that a conversation was shown outlive the process', () => {
  it('with the same list', async () => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c', 'd') })
    const surface = await crib.surface(SESSION)
    await surface.load(['d'])
    await surface.load(['a'])
    const list = sent(surface)
    const again = await reopened(path, crib)
    expect(sent(await again.surface(SESSION))).toEqual(list)
    // Others have not been shown it.
    for (const other of [{ session: 's2' }, { actor: 'bob' }, { tenant: 'other' }, { name: 'second' }])
      expect(idsOf(await again.surface({ ...SESSION, ...other }))).toEqual(['local.b'])
  })

  it('without removed tools, and with new ones at its end', async () => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: tools('b', 'c', 'd') })
    const wide = { ...SESSION, deferral: { budgetTokens: 10_000 } }
    await crib.surface(wide)
    const again = await reopened(path, crib, ['a', 'b', 'd'])
    expect(idsOf(await again.surface(wide))).toEqual(['local.b', 'local.d', 'local.a'])
  })

  it('also without a budget', async () => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: tools('b', 'c') })
    await crib.surface({ scope: 'session', session: 's1' })
    const again = await reopened(path, crib, ['a', 'b', 'c'])
    const surface = await again.surface({ scope: 'session', session: 's1' })
    expect(idsOf(surface)).toEqual(['local.b', 'local.c', 'local.a'])
  })

  it('although other tools were used recently by now', async () => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c', 'd') })
    const all = await crib.surface({ scope: 'turn', actor: 'ann' })
    await crib.call(all, { name: 'd' })
    const roomy = { ...SESSION, deferral: { budgetTokens: 330, always: ['b'] } }
    expect(idsOf(await crib.surface(roomy))).toEqual(['local.b', 'local.d'])
    await crib.call(all, { name: 'a' })
    expect(idsOf(await crib.surface(roomy))).toEqual(['local.b', 'local.d'])
    expect(idsOf(await crib.surface({ ...roomy, session: 's2' }))).toEqual(['local.a', 'local.b'])
    const unused = { ...roomy, session: 's3', deferral: { budgetTokens: 150, always: ['b'] } }
    expect(idsOf(await crib.surface(unused))).toEqual(['local.b'])
    await crib.call(all, { name: 'b' })
    expect(idsOf(await crib.surface(unused))).toEqual(['local.b'])
  })

  it('is on disk when load resolves, without closing the crib', async () => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c') })
    await (await crib.surface(SESSION)).load(['c'])
    const other = await openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c') })
    expect(idsOf(await other.surface(SESSION))).toEqual(['local.b', 'local.c'])
  })
})

describe('a client without a session', () => {
  const token = 'client-token-4711-of-somebody'
  const CLIENT: SurfaceRequest = { scope: 'tenant', client: token, deferral }

  it('is recognized by its token, of which only a digest is stored', async () => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c', 'd') })
    await (await crib.surface(CLIENT)).load(['c'])
    await (await crib.surface({ ...CLIENT, name: 'second' })).load(['d'])
    const again = await reopened(path, crib)
    expect(idsOf(await again.surface(CLIENT))).toEqual(['local.b', 'local.c'])
    expect(idsOf(await again.surface({ ...CLIENT, name: 'second' }))).toEqual(['local.b', 'local.d'])
    expect(idsOf(await again.surface({ ...CLIENT, client: 'another' }))).toEqual(['local.b'])
    await again.close()
    expect(readFileSync(path).includes(token)).toBe(false)
  })
})

describe('two cribs on one store', () => {
  it('keep what the other loads', async () => {
    const path = temporaryStorePath()
    const names = Array.from({ length: 20 }, (_, index) => `t${index}`)
    const open = () => openCrib({ store: sqliteStore({ path }), tools: tools('b', ...names) })
    const surfaces: Surface[] = []
    for (const crib of [await open(), await open()]) surfaces.push(await crib.surface(SESSION))
    await Promise.all(names.map((name, index) => surfaces[index % 2]!.load([name])))
    const third = await (await open()).surface(SESSION)
    expect(idsOf(third).toSorted()).toEqual(['b', ...names].map((name) => `local.${name}`).toSorted())
    // Each of them continues from what both loaded.
    await surfaces[0]!.load(['t0'])
    for (const surface of surfaces) expect(idsOf(surface)[0]).toBe('local.b')
  })

  it('show the same list when they load one after the other', async () => {
    const path = temporaryStorePath()
    const open = () => openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c', 'd') })
    const one = await (await open()).surface(SESSION)
    const two = await (await open()).surface(SESSION)
    await one.load(['d'])
    await two.load(['a'])
    await one.load(['c'])
    expect(idsOf(two)).toEqual(['local.b', 'local.d', 'local.a'])
    expect(idsOf(one)).toEqual(['local.b', 'local.d', 'local.a', 'local.c'])
  })
})

describe('two surfaces of one conversation', () => {
  it('keep what the other loaded, even if one of them was never notified', async () => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c', 'd') })
    const one = await crib.surface(SESSION)
    const stale = await crib.surface(SESSION)
    expect((await one.load(['c'])).loaded).toEqual(['local.c'])
    for (const name of ['n1', 'n2', 'n3']) {
      await crib.add([tool(name, { alwaysLoad: true })])
      expect(idsOf(stale)).toContain(`local.${name}`)
    }
    const again = await reopened(path, crib)
    expect(idsOf(await again.surface(SESSION))).toEqual(['local.b', 'local.c'])
  })

  it('nor in another process, which changes its list for long', async () => {
    const path = temporaryStorePath()
    const open = () => openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c', 'd') })
    const crib = await open()
    const stale = await crib.surface(SESSION)
    const other = await open()
    const loader = await other.surface(SESSION)
    for (const [name, added] of [
      ['c', 'n1'],
      ['d', 'n2'],
      ['a', 'n3'],
    ] as const) {
      await loader.load([name])
      await crib.add([tool(added, { alwaysLoad: true })])
      expect(idsOf(stale)).toContain(`local.${added}`)
    }
    await other.close()
    const again = await reopened(path, crib)
    expect(idsOf(await again.surface(SESSION))).toEqual(['local.b', 'local.c', 'local.d', 'local.a'])
  })
})

describe('a long list', () => {
  const names = Array.from({ length: 5_200 }, (_, index) => `t${String(index).padStart(5, '0')}`)
  const small = () => names.map((name) => defineTool({ name, description: name, execute: () => name }))

  it.each<SurfaceRequest>([
    { scope: 'session', session: 's1' },
    { scope: 'session', session: 's1', deferral: { budgetTokens: 100, way: 'native' } },
  ])('keeps its order in little space: %j', async (request) => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: small() })
    const surface = await crib.surface(request)
    await crib.add([defineTool({ name: 'a0', description: 'Comes later.', execute: () => 0 })])
    const ids = (each: Surface): string[] => each.listed().map(({ tool }) => tool.toolId)
    const list = ids(surface)
    expect(list.at(-1)).toBe('local.a0')
    // The change has reached the store by then.
    await crib.surface({ ...request, session: 's2' })
    await crib.close()
    const again = await openCrib({
      store: sqliteStore({ path }),
      tools: [...small(), defineTool({ name: 'a0', description: 'Comes later.', execute: () => 0 })],
    })
    expect(ids(await again.surface(request))).toEqual(list)
    const kept = await documentsOf(again.store, 'default', 'loaded_set')
    expect(kept).toHaveLength(2)
    for (const { value } of kept) expect(JSON.stringify(value).length).toBeLessThan(names.length * 6)
  })
})

it('new deferral settings apply to a continued conversation', async () => {
  const path = temporaryStorePath()
  const crib = await openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c') })
  const wide = { ...SESSION, deferral: { budgetTokens: 10_000 } }
  expect(idsOf(await crib.surface(wide))).toEqual(['local.a', 'local.b', 'local.c'])
  const never = { ...SESSION, deferral: { budgetTokens: 10_000, never: ['local.c'] } }
  expect(idsOf(await crib.surface(never))).toEqual(['local.a', 'local.b'])
})

describe('a surface with changed options', () => {
  it('continues when its conversation gets a name, and has another history in another one', async () => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c', 'd') })
    await (await crib.surface({ ...SESSION, session: 's2' })).load(['c'])
    const surface = await crib.surface({ scope: 'session', actor: 'ann', deferral })
    await surface.load(['d'])
    await surface.update({ session: 's1' })
    expect(idsOf(surface)).toEqual(['local.b', 'local.d'])
    await surface.update({ session: 's2' })
    expect(idsOf(surface)).toEqual(['local.b', 'local.c'])
    const again = await reopened(path, crib)
    expect(idsOf(await again.surface(SESSION))).toEqual(['local.b', 'local.d'])
  })

  it('keeps the list of another budget', async () => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: tools('a', 'b', 'c', 'd') })
    const surface = await crib.surface({ ...SESSION, deferral: { budgetTokens: 10_000 } })
    await surface.update({ deferral })
    await surface.load(['d'])
    expect(idsOf(surface)).toEqual(['local.b', 'local.d'])
    const again = await reopened(path, crib)
    expect(idsOf(await again.surface(SESSION))).toEqual(['local.b', 'local.d'])
  })
})

onBothStores('one process', (newStore) => {
  it('shows two surfaces of one conversation the same list', async () => {
    const crib = await openCrib({ store: newStore(), tools: tools('a', 'b', 'c', 'd') })
    const one = await crib.surface(SESSION)
    await Promise.all([one.load(['d']), one.load(['a']), one.load(['d', 'c'])])
    expect(idsOf(one)).toEqual(['local.b', 'local.d', 'local.a', 'local.c'])
    expect(sent(await crib.surface(SESSION))).toEqual(sent(one))
  })
})
