import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCrib, sqliteStore, type LimitRule, type Store } from 'toolcrib'
import { SYSTEM_TENANT } from '../../../src/storage/store.js'
import { endChildren, startChild } from '../../storage/run-child.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { callOf, draft, keeperOn, START } from './ask-rate-limits.js'
import { documentsOf } from '../../storage/make-records.js'

const askInTurn = new URL('./children/ask-in-turn.mjs', import.meta.url)
const HOUR_MS = 3_600_000

describe('counts in a store that outlives the process', () => {
  let slot: TemporaryFolder
  let stores: Store[] = []

  beforeEach(() => {
    slot = openTemporaryFolder()
  })

  afterEach(async () => {
    await endChildren()
    for (const store of stores) await store.close()
    stores = []
    slot.remove()
  })

  async function openStore(): Promise<Store> {
    const store = sqliteStore({ path: slot.file('crib.db') })
    await store.open()
    stores.push(store)
    return store
  }

  const documents = async (store: Store) => documentsOf(store, SYSTEM_TENANT, 'limit')

  it('are shared by all processes that open it, and survive a restart', async () => {
    const limits: LimitRule[] = [{ by: 'tool', perMinute: 3, over: 'refuse' }]
    const [first, second] = [keeperOn(await openStore(), limits), keeperOn(await openStore(), limits)]
    expect(await first.ask(callOf('math.add'))).toBe('in')
    expect(await second.ask(callOf('math.add'))).toBe('in')
    await stores.shift()!.close()
    const third = keeperOn(await openStore(), limits)
    expect(await third.ask(callOf('math.add'))).toBe('in')
    expect(await second.ask(callOf('math.add'))).toBe('toolcrib.rate_limited')
    expect(await third.ask(callOf('math.add'))).toBe('toolcrib.rate_limited')
  })

  it('admit concurrent calls one after the other, and no more than allowed', async () => {
    const limits: LimitRule[] = [
      { by: 'tool', perMinute: 20, over: 'refuse' },
      { by: 'tenant', perRun: 25 },
    ]
    const both = [keeperOn(await openStore(), limits), keeperOn(await openStore(), limits)]
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => both[index % 2]!.ask(callOf('math.add'))),
    )
    expect(answers.filter((answer) => answer === 'in')).toHaveLength(20)
    const more = await Promise.all(
      Array.from({ length: 40 }, (_, index) => both[index % 2]!.ask(callOf('web.fetch'))),
    )
    expect(more.filter((answer) => answer === 'in')).toHaveLength(5)
    expect(new Set(more)).toEqual(new Set(['in', 'toolcrib.budget_spent']))
  })

  it('hold for processes that share one file: together never more than allowed', async () => {
    const limits: LimitRule[] = [
      { by: 'tool', of: 'math.add', perMinute: 90, over: 'refuse' },
      { by: ['tool', 'actor'], of: { tool: 'web.fetch' }, perMinute: 70, over: 'refuse' },
      { by: 'tenant', of: { tool: 'web.*' }, perRun: 50 },
    ]
    await openStore()
    // All processes have the same fixed clock, so that the number of admitted calls does not depend on speed.
    const children = Array.from({ length: 2 }, () =>
      startChild(askInTurn, [slot.file('crib.db'), JSON.stringify(limits), String(START), '200']),
    )
    await Promise.all(children.map((child) => child.said('ready')))
    for (const child of children) child.say('go')
    const ends = await Promise.all(children.map(({ end }) => end))
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ends.map(() => ({ code: 0, stderr: '' })),
    )
    const counts = ends.map(
      ({ stdout }) => JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<string, Record<string, number>>,
    )
    const sum = (tool: string, answer: string) =>
      counts.reduce((total, each) => total + (each[tool]![answer] ?? 0), 0)
    expect(sum('math.add', 'in')).toBe(90)
    expect(sum('math.add', 'toolcrib.rate_limited')).toBe(310)
    expect(sum('web.fetch', 'in')).toBe(50)
    expect(sum('web.fetch', 'toolcrib.budget_spent')).toBe(350)
  })

  it('are not changed if another process was faster at one of them', async () => {
    const store = await openStore()
    const limits: LimitRule[] = [
      { by: 'tool', perMinute: 5, over: 'refuse' },
      { by: 'source', perMinute: 1, over: 'refuse' },
    ]
    const other = keeperOn(await openStore(), [limits[1]!])
    let isFirst = true
    const outrun: Store = {
      ...store,
      async write(group) {
        // Between the read and the write, another process takes the only call of the source.
        if (isFirst) {
          isFirst = false
          expect(await other.ask(callOf('web.search'))).toBe('in')
        }
        return store.write(group)
      },
    }
    const on = keeperOn(outrun, limits)
    expect(await on.ask(callOf('web.fetch'))).toBe('toolcrib.rate_limited')
    on.clock.now += 60_000
    // All five calls of the tool are still available, as far as the source allows them.
    const [count] = (await on.keeper.counters.list()).filter(({ of }) => of.tool === 'web.fetch')
    expect(count).toBeUndefined()
    expect(await on.ask(callOf('web.fetch'))).toBe('in')
  })

  it('refuse calls if the store fails, because the earlier calls are unknown', async () => {
    const store = await openStore()
    const { ask, refusal } = keeperOn(store, [{ by: 'tool', perMinute: 5 }])
    expect(await ask(callOf('math.add'))).toBe('in')
    await store.close()
    expect(await refusal(callOf('math.add'))).toMatchObject({
      error_class: 'dependency_unavailable',
      error_code: 'toolcrib.store_closed',
      message: expect.stringContaining('could not be counted under its limits') as string,
      toolcrib: { retry: { safe: true } },
    })
  })

  it('are removed when they have not been used for long: rates after an hour, runs after a week', async () => {
    const store = await openStore()
    const limits: LimitRule[] = [
      { by: 'actor', perMinute: 1, burst: 3 },
      { by: 'actor', perRun: 9 },
    ]
    for (const [actor, ago] of Object.entries({ 'long gone': 8 * 24, earlier: 2, 'just now': 1 })) {
      const { ask } = keeperOn(store, limits, { clock: { now: Date.now() - ago * HOUR_MS } })
      expect(await ask(callOf('math.add', { actor }))).toBe('in')
    }
    expect(await documents(store)).toHaveLength(6)
    const crib = await createCrib({
      store: sqliteStore({ path: slot.file('crib.db') }),
      tools: [draft('math', 'add')],
      limits: [{ by: 'tool', perMinute: 1 }],
    })
    await crib.close()
    const left = (await documents(store)).map(({ value }) => value as { kind: string; of: { actor: string } })
    expect(left.map(({ kind, of }) => `${kind} ${of.actor}`).sort()).toEqual([
      'rate just now',
      'run earlier',
      'run just now',
    ])
  })

  it('are also removed by a long-running process', async () => {
    const store = await openStore()
    const { ask, clock } = keeperOn(store, [{ by: 'actor', perMinute: 1 }])
    for (const actor of ['a', 'b', 'c']) await ask(callOf('math.add', { actor }))
    clock.now += 2 * HOUR_MS
    await ask(callOf('math.add', { actor: 'd' }))
    // The next call waits for the end of the sweep.
    await ask(callOf('math.add', { actor: 'e' }))
    expect(await documents(store)).toHaveLength(2)
  })
})
