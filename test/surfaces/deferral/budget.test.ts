import { describe, expect, it } from 'vitest'
import { toWireTool, type Source, type SurfaceRequest } from 'toolcrib'
import { countTokens } from '../../../src/platform/tokens/count-tokens.js'
import { openCrib } from '../../scenarios/open-crib.js'
import { deferralIn, idsOf, tool, tools } from './make-tools.js'
import '../../own-process.js'

const TURN: SurfaceRequest = { scope: 'turn' }

describe('[AT-SURF-06] [AT-DEFER-01] a surface with a budget', () => {
  it('defers and counts no tool where it has no budget', async () => {
    const crib = await openCrib({ tools: tools('a', 'b') })
    const surface = await crib.surface(TURN)
    expect(idsOf(surface)).toEqual(['local.a', 'local.b'])
    expect(deferralIn(surface)).toBeUndefined()
    expect(crib.tool('a')!.prepared.promptTokens).toBeUndefined()
  })

  it('records its counts, in the tokens of what would be sent', async () => {
    const crib = await openCrib({ tools: tools('a', 'b') })
    const surface = await crib.surface({ ...TURN, deferral: { budgetTokens: 10_000 } })
    const texts = surface.tools().map((each) => JSON.stringify(toWireTool(each)))
    const total = (await Promise.all(texts.map((text) => countTokens(text)))).reduce((a, b) => a + b)
    expect(deferralIn(surface)).toEqual({
      decision: 'within_budget',
      budget_tokens: 10_000,
      total_tokens: total,
      loaded_tokens: total,
      deferred_tokens: 0,
      saved_tokens: 0,
      encoding: 'o200k_base',
      kept: { always: 0, asked: 0, recent: 0 },
      way: 'load',
    })
  })

  it('keeps tools that are always wanted, requested or recently used, and defers the rest', async () => {
    const crib = await openCrib({
      tools: [...tools('a', 'b', 'c', 'd', 'e', 'f'), tool('g', { alwaysLoad: true })],
    })
    const before = await crib.surface({ ...TURN, actor: 'ann' })
    await crib.call(before, { name: 'b' })
    await crib.call(before, { name: 'c' })
    const deferral = { budgetTokens: 480, always: ['a'] }
    const surface = await crib.surface({ ...TURN, actor: 'ann', deferral, load: ['f'] })
    // The last used one fits; the one before no longer does.
    expect(idsOf(surface)).toEqual(['local.a', 'local.c', 'local.g', 'local.f'])
    expect(deferralIn(surface)).toMatchObject({
      decision: 'deferred',
      kept: { always: 2, asked: 1, recent: 1 },
    })
    const other = await crib.surface({ ...TURN, actor: 'bob', deferral, load: ['f'] })
    expect(idsOf(other)).toEqual(['local.a', 'local.g', 'local.f'])
  })

  it('a refused call does not count as use', async () => {
    const crib = await openCrib({ tools: tools('a', 'b', 'c', 'd') })
    const first = await crib.surface({ ...TURN, deferral: { budgetTokens: 250 } })
    expect((await crib.call(first, { name: 'a' })).error!.error_class).toBe('schema_not_loaded')
    expect(idsOf(await crib.surface({ ...TURN, deferral: { budgetTokens: 250 } }))).toEqual([])
  })

  it('never loads tools of `never`, not even within the budget', async () => {
    const crib = await openCrib({ tools: tools('a', 'b') })
    const deferral = { budgetTokens: 10_000, always: ['*'], never: ['b'] }
    const surface = await crib.surface({ ...TURN, deferral })
    expect(idsOf(surface)).toEqual(['local.a'])
    expect(await surface.load(['b'])).toMatchObject({ loaded: ['local.b'] })
    expect(idsOf(surface)).toEqual(['local.a', 'local.b'])
    const unlimited = await crib.surface({ ...TURN, deferral: { never: ['b'] } })
    expect(idsOf(unlimited)).toEqual(['local.a'])
  })

  it('does not defer where that saves nothing', async () => {
    const crib = await openCrib({ tools: tools('a', 'b') })
    const surface = await crib.surface({ ...TURN, deferral: { budgetTokens: 10, always: ['*'] } })
    expect(deferralIn(surface)).toMatchObject({ decision: 'no_gain', saved_tokens: 0 })
    expect(idsOf(surface)).toEqual(['local.a', 'local.b'])
  })

  it('keeps what it has shown when new tools exceed the budget', async () => {
    const crib = await openCrib({ tools: tools('b', 'c') })
    const surface = await crib.surface({ ...TURN, deferral: { budgetTokens: 250 } })
    await crib.add(tools('a', 'd'))
    expect(idsOf(surface)).toEqual(['local.b', 'local.c'])
    expect(deferralIn(surface)).toMatchObject({ decision: 'deferred', kept: { asked: 2 } })
    expect(surface.lookup('a')).toMatchObject({ loading_state: 'discoverable' })
  })

  it('does not change when a source lists the same tools again', async () => {
    let changed = (): void => {}
    let lists = 0
    const source: Source = {
      name: 'remote',
      async list() {
        lists++
        return tools('a', 'b', 'c')
      },
      watch(listener) {
        changed = listener
        return () => {}
      },
    }
    const crib = await openCrib({ sources: [source] })
    const surface = await crib.surface({ ...TURN, deferral: { budgetTokens: 150, always: ['b'] } })
    const before = crib.tool('a')!
    changed()
    while (crib.tool('a') === before) await new Promise(setImmediate)
    expect(lists).toBe(2)
    expect(crib.tool('a')!.prepared.promptTokens).toBe(before.prepared.promptTokens)
    expect((await crib.call(surface, { name: 'a' })).error!.error_class).toBe('schema_not_loaded')
    expect(surface.lookup('a')!.loading_state).toBe('discoverable')
  })

  it('does not run a tool that was enabled since and never shown', async () => {
    let isOn = false
    let runs = 0
    // So many that the record does not list them; none of them is judged again for it.
    const many = Array.from({ length: 50 }, (_, index) => String(index))
    const later = many.map((name) => tool(`later_${name}`, { isEnabled: () => isOn, execute: () => ++runs }))
    const crib = await openCrib({ tools: [...many.map((name) => tool(`t_${name}`)), ...later] })
    const surface = await crib.surface({ ...TURN, deferral: { budgetTokens: 150 } })
    isOn = true
    expect((await crib.call(surface, { name: 'later_7' })).error!.error_class).toBe('schema_not_loaded')
    expect(runs).toBe(0)
    await surface.load(['later_7'])
    expect((await crib.call(surface, { name: 'later_7' })).status).toBe('succeeded')
  })

  it('counts added tools before a caller needs the counts', async () => {
    const crib = await openCrib({ tools: tools('a') })
    await crib.surface({ ...TURN, deferral: { budgetTokens: 150 } })
    const { tools: added } = await crib.add(tools('b'))
    expect(added[0]!.prepared.promptTokens).toBeGreaterThan(50)
  })

  it('is decided again for another budget', async () => {
    const crib = await openCrib({ tools: tools('a', 'b', 'c') })
    const surface = await crib.surface({ ...TURN, deferral: { budgetTokens: 10_000 } })
    await surface.update({ deferral: { budgetTokens: 50 } })
    expect(idsOf(surface)).toEqual([])
    await surface.update({ deferral: { budgetTokens: 10_000 } })
    expect(idsOf(surface)).toHaveLength(3)
  })

  it.each([
    [{ budgetTokens: 0 }, '"budgetTokens" must be a whole number of at least 1, not the number 0'],
    [{ always: 'a' }, '"always" must be a list of texts, not the text "a"'],
    [{ never: [1] }, '"never" must be a list of texts, not a list'],
    [{ way: 'lazy' }, '"way" must be one of load, pair, native'],
    [{ budgetToken: 5 }, 'has no option "budgetToken"; did you mean "budgetTokens"?'],
  ])('rejects %j', async (deferral, words) => {
    const crib = await openCrib()
    await expect(crib.surface({ ...TURN, deferral } as SurfaceRequest)).rejects.toThrow(words)
  })
})
