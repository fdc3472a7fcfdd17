import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createCrib,
  defineTool,
  memoryStore,
  sqliteStore,
  type Crib,
  type CribOptions,
  type Store,
} from 'toolcrib'
import { openTemporaryFolder } from '../../temporary-folder.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.parse('2026-07-01T12:00:00Z')

/** A clock that only tools and tests move. */
let now = START

const cribs: Crib[] = []
afterEach(async () => {
  await Promise.all(cribs.splice(0).map((crib) => crib.close()))
})

const tools = [
  defineTool({
    name: 'work',
    description: 'Works for some time.',
    input: z.object({ ms: z.number(), fails: z.boolean().optional() }),
    isReadOnly: true,
    isOpenWorld: false,
    isConcurrencySafe: true,
    async execute({ ms, fails }) {
      now += ms
      if (fails) throw new Error('The work failed.')
      return { ms }
    },
  }),
  defineTool({
    name: 'write',
    description: 'Writes something.',
    isReadOnly: false,
    isOpenWorld: false,
    execute: async () => 'written',
  }),
]

async function open(store: Store, more: Partial<CribOptions> = {}): Promise<Crib> {
  const crib = await createCrib({
    store,
    tools,
    clock: () => now,
    decider: () => ({ behavior: 'allow' }),
    ...more,
  })
  cribs.push(crib)
  return crib
}

async function work(crib: Crib, ...all: { ms: number; fails?: boolean }[]): Promise<void> {
  const surface = await crib.surface({ actor: 'ann' })
  for (const input of all) await crib.call(surface, { name: 'work', input })
}

describe('the statistics of a crib', () => {
  it('count calls, errors, denials and cancellations, with the quantiles of the time they took', async () => {
    now = START
    const crib = await open(memoryStore(), {
      decider: ({ tool }) => ({ behavior: tool.toolId === 'local.write' ? 'deny' : 'allow' }),
    })
    await work(crib, ...Array.from({ length: 98 }, () => ({ ms: 10 })), { ms: 500 }, { ms: 20, fails: true })
    const surface = await crib.surface()
    await crib.call(surface, { name: 'write', input: {} })
    await crib.call(surface, { name: 'work', input: { ms: 1 }, signal: AbortSignal.abort() })
    await crib.call(surface, { name: 'no_such_tool', input: {} })
    const { totals, by_tool: byTool, by_source: bySource, is_complete: isComplete } = await crib.statistics()
    expect(isComplete).toBe(true)
    expect(totals).toMatchObject({ calls: 103, errors: 2, denials: 1, canceled: 1, approvals: 0 })
    expect(totals).toMatchObject({ p50_ms: 10, p95_ms: 10, p99_ms: 20, wait_ms_p95: 0 })
    expect(byTool.map(({ tool_id: id, calls, errors }) => ({ id, calls, errors }))).toEqual([
      { id: 'local.work', calls: 100, errors: 1 },
      // The name of the call that was canceled before it started was not looked up.
      { id: 'toolcrib.unknown_tool', calls: 2, errors: 1 },
      { id: 'local.write', calls: 1, errors: 0 },
    ])
    expect(byTool[0]!.last_error).toMatchObject({ error_class: 'execution_failed' })
    const failed = await crib.result(byTool[0]!.last_error!.invocation_id)
    expect(failed?.error?.message).toContain('The work failed.')
    expect(bySource).toMatchObject([{ source: 'function', calls: 101, errors: 1, denials: 1 }])
  })

  it('put each call into the minute in which it ended, and merge minutes to the steps that are asked for', async () => {
    now = START
    const crib = await open(memoryStore())
    await work(crib, { ms: 30_000 }, { ms: 31_000 }, { ms: 5 * MINUTE })
    const since = START - HOUR
    const minutes = await crib.statistics({ since, until: START + HOUR, stepMs: MINUTE })
    expect(minutes.points).toHaveLength(120)
    expect(minutes.points.filter(({ calls }) => calls > 0).map(({ at, calls }) => ({ at, calls }))).toEqual([
      { at: '2026-07-01T12:00:00.000Z', calls: 1 },
      { at: '2026-07-01T12:01:00.000Z', calls: 1 },
      { at: '2026-07-01T12:06:00.000Z', calls: 1 },
    ])
    const fives = await crib.statistics({ since, until: START + HOUR, stepMs: 5 * MINUTE })
    expect(fives.points.flatMap(({ at, calls }) => (calls > 0 ? [[at.slice(11, 16), calls]] : []))).toEqual([
      ['12:00', 2],
      ['12:05', 1],
    ])
    expect(fives.totals).toEqual(minutes.totals)
    expect(fives.by_tool).toEqual(minutes.by_tool)
    const odd = await crib.statistics({ since: START + 61_500, until: START + 2 * MINUTE, stepMs: MINUTE })
    expect(odd).toMatchObject({ since: '2026-07-01T12:01:00.000Z', totals: { calls: 1 } })
  })

  it('keep the time that people take apart from the time of the tool and of the queue', async () => {
    now = START
    const crib = await open(memoryStore(), {
      decider: () => ({ behavior: 'ask', message: 'May it?' }),
      async approver() {
        now += 40_000
        return { approved: true }
      },
    })
    await work(crib, { ms: 200 }, { ms: 200 })
    const { totals } = await crib.statistics()
    expect(totals).toMatchObject({ calls: 2, approvals: 2, wait_ms_p95: 0 })
    expect(totals.p50_ms).toBeGreaterThanOrEqual(190)
    expect(totals.p50_ms).toBeLessThanOrEqual(210)
    expect(totals.person_wait_ms_p95).toBeGreaterThan(38_000)
    expect(totals.person_wait_ms_p95).toBeLessThan(42_000)
  })

  it('count the tokens that a surface saves once, however often it changes', async () => {
    now = START
    const many = Array.from({ length: 40 }, (_, index) =>
      defineTool({
        name: `tool_${index}`,
        description: 'Does something that takes a sentence of a good length to describe in full.',
        isReadOnly: true,
        execute: async () => index,
      }),
    )
    const crib = await open(memoryStore(), { tools: many })
    const surface = await crib.surface({ deferral: { budgetTokens: 300 } })
    const { saved_tokens: saved } = surface.record.toolcrib!['deferral'] as { saved_tokens: number }
    expect(saved).toBeGreaterThan(0)
    await surface.load(['tool_7'])
    await surface.load(['tool_8'])
    expect((await crib.statistics()).totals.tokens_saved).toBe(saved)
    await crib.surface({ deferral: { budgetTokens: 300 } })
    expect((await crib.statistics()).totals.tokens_saved).toBe(2 * saved)
  })

  it('follow the log after the first question', async () => {
    now = START
    const crib = await open(memoryStore())
    await work(crib, { ms: 1 })
    expect((await crib.statistics()).totals.calls).toBe(1)
    await work(crib, { ms: 1 }, { ms: 1 })
    expect((await crib.statistics()).totals.calls).toBe(3)
  })

  it('are of one tenant', async () => {
    now = START
    const crib = await open(memoryStore())
    const other = await crib.surface({ tenant: 'other' })
    await crib.call(other, { name: 'work', input: { ms: 1 } })
    await work(crib, { ms: 1 }, { ms: 1 })
    expect((await crib.statistics()).totals.calls).toBe(2)
    expect((await crib.statistics({ tenant: 'other' })).totals.calls).toBe(1)
    expect((await crib.statistics({ tenant: 'none' })).totals.calls).toBe(0)
  })

  it('refuse what cannot be answered, with a sentence', async () => {
    const crib = await open(memoryStore())
    await expect(crib.statistics({ since: now, until: now - 1 })).rejects.toThrow('before "until"')
    await expect(crib.statistics({ since: now - 10 * DAY, stepMs: 0 })).rejects.toThrow('"stepMs"')
    await expect(crib.statistics({ since: now - DAY * 2, stepMs: 1 }).then(() => 'ok')).resolves.toBe('ok')
    await expect(crib.statistics({ since: 0, stepMs: 1 })).rejects.toThrow('more than 3000 steps')
    await expect(crib.statistics({ since: 'yesterday' as never })).rejects.toThrow('"since" must be a Date')
  })
})

describe('statistics in a store that is kept', () => {
  it('read only the rest of the log after a restart', async () => {
    now = START
    const folder = openTemporaryFolder()
    const path = folder.file('crib.db')
    const first = await open(sqliteStore({ path }))
    await work(first, { ms: 10 }, { ms: 20, fails: true }, { ms: 90_000 })
    const before = await first.statistics()
    await first.close()

    const store = sqliteStore({ path })
    const starts: number[] = []
    const readLog: Store['readLog'] = (query) => {
      starts.push(query.after)
      return store.readLog(query)
    }
    const second = await open({ ...store, readLog })
    expect(await second.statistics()).toEqual(before)
    expect(Math.min(...starts)).toBeGreaterThan(0)
    await work(second, { ms: 10 })
    expect((await second.statistics()).totals.calls).toBe(4)
    await second.close()
    folder.remove()
  })

  it('are equal in all processes that share a store, whichever of them stores its numbers', async () => {
    now = START
    const folder = openTemporaryFolder()
    const path = folder.file('crib.db')
    const [one, two] = [await open(sqliteStore({ path })), await open(sqliteStore({ path }))]
    await work(one, { ms: 10 }, { ms: 2000 })
    await one.statistics()
    await work(two, { ms: 30, fails: true }, { ms: 3 * HOUR })
    await two.flush()
    const [a, b] = [await one.statistics(), await two.statistics()]
    expect(a.totals).toMatchObject({ calls: 4, errors: 1 })
    expect(b).toEqual(a)
    await work(one, { ms: 5 })
    await Promise.all([one.close(), two.close()])
    const three = await open(sqliteStore({ path }))
    expect((await three.statistics()).totals.calls).toBe(5)
    await work(three, { ms: 5 })
    expect((await three.statistics()).totals.calls).toBe(6)
    await three.close()
    folder.remove()
  })

  it('keep old times by the hour and by the day, and drop their minutes', async () => {
    now = START
    const folder = openTemporaryFolder()
    const path = folder.file('crib.db')
    const first = await open(sqliteStore({ path }))
    await work(first, ...Array.from({ length: 50 }, () => ({ ms: MINUTE })))
    const whole = { since: START - HOUR, until: START + 3 * HOUR, stepMs: HOUR }
    const fresh = await first.statistics(whole)
    expect(fresh).toMatchObject({ step_ms: HOUR, totals: { calls: 50 } })
    await first.close()
    const sizeOf = async (store: Store): Promise<number> => {
      const { documents } = await store.listDocuments({ tenant: 'default', kind: 'statistics', limit: 500 })
      return JSON.stringify(documents).length
    }
    const sizes: number[] = []
    for (const { days, stepMs } of [
      { days: 0, stepMs: MINUTE },
      { days: 5, stepMs: HOUR },
      { days: 50, stepMs: DAY },
    ]) {
      now = START + days * DAY
      const crib = await open(sqliteStore({ path }))
      await work(crib, { ms: 1 })
      const then = await crib.statistics({ since: START, until: START + 2 * HOUR, stepMs: MINUTE })
      expect(then.step_ms).toBe(stepMs)
      expect(then.totals.calls).toBeGreaterThanOrEqual(50)
      expect(then.by_tool[0]!.calls).toBe(then.totals.calls)
      expect(then.totals.p50_ms).toBe(fresh.totals.p50_ms)
      sizes.push(await sizeOf(crib.store))
      await crib.close()
    }
    expect(sizes[2]).toBeLessThan(sizes[0]! / 2)
    folder.remove()
  })
})
