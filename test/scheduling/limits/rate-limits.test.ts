import { retryGuidance } from '../../../src/contract/retry-guidance.js'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore, type LimitRule, type Store } from 'toolcrib'
import { createRateLimits } from '../../../src/scheduling/limits/create-rate-limits.js'
import { dueAfter, waitMsFor } from '../../../src/scheduling/limits/rate.js'
import { expectRecord } from '../../edges/cli/run-cli.js'
import { onBothStores } from '../../scenarios/open-crib.js'
import { callOf, keeperOn, START, toolOf } from './ask-rate-limits.js'

const opened: Store[] = []

async function open(store: Store): Promise<Store> {
  await store.open()
  opened.push(store)
  return store
}

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

describe('rate limits', () => {
  const parts = { store: memoryStore(), now: () => START, find: () => undefined }

  it('concern no call if none is configured, unless its surface has limits', () => {
    const limits = createRateLimits({ ...parts, limits: [], breaker: false })
    const call = callOf('math.add')
    const withLimits = (maxCallsPerRun: Record<string, number>) => ({
      ...call,
      surface: { request: { maxCallsPerRun } },
    })
    expect(limits.concerns(call)).toBe(false)
    expect(limits.concerns(withLimits({ 'mail.*': 1 }))).toBe(false)
    expect(limits.concerns(withLimits({ add: 1 }))).toBe(true)
  })

  it('answer synchronously with an ephemeral store', () => {
    const { keeper } = keeperOn(memoryStore(), [{ by: 'tool', perMinute: 1, over: 'refuse' }])
    expect(keeper.ask(callOf('math.add'))).toBeUndefined()
    expect(keeper.ask(callOf('math.add'))).toHaveProperty('refuse')
  })

  it('apply to the configured tools and sources', () => {
    const { keeper } = keeperOn(memoryStore(), [{ by: 'tool', of: 'files.*', perMinute: 1 }], {
      breaker: { sources: ['mcp.*'] },
    })
    const concerned = ['math.add', 'files.read', 'web.fetch', 'mail.send'].filter((name) =>
      keeper.concerns(callOf(name)),
    )
    expect(concerned).toEqual(['files.read', 'web.fetch', 'mail.send'])
  })

  it.each<[string, string[]]>([
    ['web.fetch', ['web.fetch']],
    ['fetch', ['web.fetch']],
    ['get', ['web.fetch']],
    ['web.get', ['web.fetch']],
    [toolOf('web.fetch').providerName, ['web.fetch']],
    ['mcp__net__fetch', ['web.fetch']],
    ['mcp__net', ['web.fetch']],
    ['WEB.*', ['web.fetch', 'web.search']],
    ['*.s*', ['web.search', 'mail.send']],
    ['*', ['math.add', 'files.read', 'web.fetch', 'web.search', 'mail.send']],
    ['web', []],
  ])('take %s for any form of a name', (of, expected) => {
    const { keeper } = keeperOn(memoryStore(), [{ by: 'tool', of, perMinute: 1 }])
    const names = ['math.add', 'files.read', 'web.fetch', 'web.search', 'mail.send']
    expect(names.filter((name) => keeper.concerns(callOf(name)))).toEqual(expected)
  })
})

onBothStores('limited calls', (newStore) => {
  const on = async (limits: readonly LimitRule[]) => keeperOn(await open(newStore()), limits)

  it('per minute: refused with the time after which the call would be admitted', async () => {
    const { ask, refusal, clock } = await on([{ by: 'tool', perMinute: 3, over: 'refuse' }])
    for (let call = 0; call < 3; call++) expect(await ask(callOf('math.add'))).toBe('in')
    clock.now += 5
    const error = await refusal(callOf('math.add'))
    expectRecord('tool_error', error)
    expect(error).toEqual({
      error_class: 'rate_limited',
      error_code: 'toolcrib.rate_limited',
      message:
        'The call was not made: there may be 3 calls a minute of the tool "math.add". Try again in 19.995 s.',
      recoverability: 'retry_later',
      retry_after: 19.995,
      toolcrib: {
        retry: retryGuidance('rate_limited'),
        limit: { by: ['tool'], of: {}, per_minute: 3 },
      },
    })
    clock.now += 19_994
    expect(await ask(callOf('math.add'))).toBe('toolcrib.rate_limited')
    clock.now += 1
    expect(await ask(callOf('math.add'))).toBe('in')
  })

  it('per minute: wait no longer than the maximum', async () => {
    const { ask, clock } = await on([{ by: 'tool', perMinute: 60, burst: 1, maxWaitMs: 2_500 }])
    expect(await ask(callOf('math.add'))).toBe('in')
    const late = callOf('math.add')
    expect(await ask(late)).toBe('wait 1000')
    // It asks too late, and other calls overtake it.
    clock.now += 2_001
    expect(await ask(callOf('math.add'))).toBe('in')
    expect(await ask(late)).toBe('toolcrib.rate_limited')
    // A new call, also a retry of the same call, has its own maximum wait.
    expect(await ask(late)).toBe('wait 1000')
    clock.now += 1_000
    expect(await ask(late)).toBe('in')
    expect(await ask(late)).toBe('wait 1000')
  })

  it('per minute: are admitted in order of arrival', async () => {
    const { ask, clock, keeper } = await on([
      { by: 'tool', perMinute: 60, burst: 1, maxWaitMs: 3_000 },
      { by: 'tenant', perMinute: 600 },
    ])
    expect(await ask(callOf('math.add'))).toBe('in')
    const queue = Array.from({ length: 5 }, () => callOf('math.add'))
    const answers = await Promise.all(queue.map(ask))
    // Each gets its own wait, and calls that would wait too long are refused immediately.
    expect(answers).toEqual([
      'wait 1000',
      'wait 2000',
      'wait 3000',
      'toolcrib.rate_limited',
      'toolcrib.rate_limited',
    ])
    expect(await ask(callOf('web.fetch'))).toBe('in')
    clock.now += 1_000
    // There is capacity for one, and three calls wait.
    const fourth = callOf('math.add')
    expect(await ask(fourth)).toBe('wait 3000')
    expect(await ask(queue[1]!)).toBe('wait 1000')
    expect(await ask(queue[0]!)).toBe('in')
    // A cancelled call frees its position.
    queue[1]!.cancelReason = 'user_interruption'
    clock.now += 1_000
    expect(await ask(queue[2]!)).toBe('in')
    expect(await ask(callOf('math.add'))).toBe('wait 2000')
    // So does a call that will never run.
    keeper.ended(fourth, { hasRun: true, error: undefined })
    expect(await ask(callOf('math.add'))).toBe('wait 2000')
  })

  it('per minute: are refused if the wait is too long from the start', async () => {
    const { refusal, ask } = await on([{ by: 'tool', perMinute: 1, maxWaitMs: 59_999 }])
    await ask(callOf('math.add'))
    expect((await refusal(callOf('math.add'))).retry_after).toBe(60)
  })

  it('are counted separately for each tool, source, tenant and actor', async () => {
    const { ask } = await on([{ by: 'source', perMinute: 1, over: 'refuse' }])
    expect(await ask(callOf('web.fetch'))).toBe('in')
    expect(await ask(callOf('mail.send'))).toBe('in')
    expect(await ask(callOf('web.search'))).toBe('toolcrib.rate_limited')

    const actors = await on([{ by: 'actor', perMinute: 1, over: 'refuse' }])
    expect(await actors.ask(callOf('web.fetch', { actor: 'a' }))).toBe('in')
    expect(await actors.ask(callOf('math.add', { actor: 'a' }))).toBe('toolcrib.rate_limited')
    expect(await actors.ask(callOf('math.add', { actor: 'b' }))).toBe('in')
    // An actor of the same name in another tenant is a different one; so is one without a name.
    expect(await actors.ask(callOf('math.add', { actor: 'a', tenant: 't' }))).toBe('in')
    expect(await actors.ask(callOf('math.add'))).toBe('in')
    expect(await actors.ask(callOf('math.add'))).toBe('toolcrib.rate_limited')
    expect(await actors.ask(callOf('math.add', { actor: '-' }))).toBe('in')

    const tenants = await on([{ by: 'tenant', perMinute: 1, over: 'refuse' }])
    expect(await tenants.ask(callOf('math.add', { actor: 'a' }))).toBe('in')
    expect(await tenants.ask(callOf('web.fetch', { actor: 'b' }))).toBe('toolcrib.rate_limited')
    expect(await tenants.ask(callOf('web.fetch', { tenant: 't' }))).toBe('in')
  })

  it('are counted separately for each combination of a list', async () => {
    const { ask, refusal } = await on([{ by: ['actor', 'tool'], perMinute: 1, over: 'refuse' }])
    expect(await ask(callOf('math.add', { actor: 'a' }))).toBe('in')
    expect(await ask(callOf('math.add', { actor: 'b' }))).toBe('in')
    expect(await ask(callOf('web.fetch', { actor: 'a' }))).toBe('in')
    expect((await refusal(callOf('math.add', { actor: 'a' }))).message).toContain(
      '1 call a minute of the tool "math.add" by "a" in the tenant "default"',
    )
    // Different names never share a count.
    expect(await ask(callOf('math.add', { actor: 'a', tenant: '7:default1:a' }))).toBe('in')
  })

  it('are counted only if the limit applies, and together if no dimension separates them', async () => {
    const { ask, refusal } = await on([
      { by: 'tenant', of: { tool: ['web.*', 'mail.send'], actor: 'agent:*' }, perMinute: 2, over: 'refuse' },
    ])
    expect(await ask(callOf('web.fetch', { actor: 'agent:a' }))).toBe('in')
    expect(await ask(callOf('mail.send', { actor: 'agent:b' }))).toBe('in')
    expect(await ask(callOf('web.search', { actor: 'person' }))).toBe('in')
    expect(await ask(callOf('math.add', { actor: 'agent:a' }))).toBe('in')
    expect((await refusal(callOf('web.search', { actor: 'agent:a' }))).message).toContain(
      // The message does not reveal the other actors of the limit.
      'there may be 2 calls a minute of the tools mail.send, web.* in the tenant "default"',
    )
    expect(await ask(callOf('web.search', { actor: 'agent:a', tenant: 't' }))).toBe('in')
  })

  it('per run: a session, or the surface if there is none', async () => {
    const { ask, refusal, clock } = await on([{ by: 'tool', of: 'web.*', perRun: 2 }])
    for (const row of [{ session: 's1' }, { session: 's2' }, {}, { surfaceId: 's1' }]) {
      expect(await ask(callOf('web.fetch', row))).toBe('in')
      expect(await ask(callOf('web.fetch', { actor: 'another', ...row }))).toBe('in')
      clock.now += 3_600_000
      const error = await refusal(callOf('web.fetch', row))
      expectRecord('tool_error', error)
      expect(error).toMatchObject({
        error_class: 'rate_limited',
        error_code: 'toolcrib.budget_spent',
        recoverability: 'not_recoverable',
        retry_after: null,
        toolcrib: { retry: { safe: false }, limit: { per_run: 2 } },
      })
      expect(error.message).toContain(
        'this run has used up its 2 calls of the tool "web.fetch". Go on without',
      )
      expect(await ask(callOf('web.search', row))).toBe('in')
    }
    expect(await ask(callOf('web.fetch', { session: 's1', tenant: 't' }))).toBe('in')
  })

  it('under several limits: are counted under all of them or none', async () => {
    const { ask, keeper } = await on([
      { by: 'tool', of: 'math.add', perMinute: 2, over: 'refuse' },
      { by: 'tenant', perRun: 3 },
      { by: 'tool', perMinute: 600, burst: 1 },
    ])
    const used = async () =>
      Object.fromEntries(
        (await keeper.counters.list()).map(({ kind, limitId, kept }) => [`${kind} ${limitId}`, kept]),
      )
    expect(await ask(callOf('math.add'))).toBe('in')
    const before = await used()
    expect(await ask(callOf('math.add'))).toBe('wait 100')
    expect(await used()).toEqual(before)
  })

  it('under several limits: get the longest wait and the shortest maximum', async () => {
    const { ask, refusal, clock } = await on([
      { by: 'tool', perMinute: 60, burst: 1, maxWaitMs: 20_000 },
      { by: 'tenant', perMinute: 6, burst: 1, maxWaitMs: 60_000 },
      { by: 'actor', perRun: 2 },
    ])
    expect(await ask(callOf('math.add'))).toBe('in')
    const next = callOf('math.add')
    expect(await ask(next)).toBe('wait 10000')
    clock.now += 10_000
    expect(await ask(next)).toBe('in')
    // A spent budget is reported before a rate.
    expect((await refusal(callOf('math.add'))).error_code).toBe('toolcrib.budget_spent')
  })

  it('under two limits with the same scope: count in both', async () => {
    const { ask, clock } = await on([
      { by: 'tool', perMinute: 60, burst: 2, over: 'refuse' },
      { by: 'tool', perMinute: 3, over: 'refuse' },
    ])
    expect(await ask(callOf('math.add'))).toBe('in')
    expect(await ask(callOf('math.add'))).toBe('in')
    expect(await ask(callOf('math.add'))).toBe('toolcrib.rate_limited')
    clock.now += 1_000
    expect(await ask(callOf('math.add'))).toBe('in')
    clock.now += 1_000
    expect(await ask(callOf('math.add'))).toBe('toolcrib.rate_limited')
  })

  it('at a time: get slots, with the error of a call that must not wait', async () => {
    const { keeper } = await on([
      { by: 'tool', of: 'web.*', concurrent: 4 },
      { by: ['source', 'actor'], concurrent: 2, over: 'refuse' },
      { by: 'tenant', of: 't2', concurrent: 1 },
      { by: 'tool', perMinute: 5 },
    ])
    const slots = keeper.slots(callOf('web.fetch', { actor: 'a' }))
    expect(slots.map(({ width, refuse }) => [width, refuse === undefined])).toEqual([
      [4, true],
      [2, false],
    ])
    const error = slots[1]!.refuse!()
    expectRecord('tool_error', error)
    expect(error).toMatchObject({
      error_class: 'rate_limited',
      error_code: 'toolcrib.too_many_at_once',
      retry_after: 1,
      toolcrib: { retry: { safe: true }, limit: { by: ['source', 'tenant', 'actor'], concurrent: 2 } },
    })
    expect(error.message).toContain(
      '2 calls at a time of the source "mcp.web" by "a" in the tenant "default"',
    )

    const keys = (tool: string, row: object) => keeper.slots(callOf(tool, row)).map(({ key }) => key)
    expect(keys('web.fetch', { actor: 'a' })).toEqual(slots.map(({ key }) => key))
    // Another tool of the source: a separate slot under the first limit, the same under the second.
    expect(keys('web.search', { actor: 'a' })[0]).not.toBe(slots[0]!.key)
    expect(keys('web.search', { actor: 'a' })[1]).toBe(slots[1]!.key)
    expect(keys('web.fetch', { actor: 'b' })[1]).not.toBe(slots[1]!.key)
    expect(keys('math.add', { tenant: 't2' })).toHaveLength(2)
  })
})

it('counts each caller at its own rate, also where names contain separators', () => {
  const names = fc.constantFrom('a', 'b', '1:a', '-', '')
  const comers = fc.array(
    fc.record({
      tool: fc.constantFrom('math.add', 'web.fetch'),
      tenant: names,
      actor: fc.option(names, { nil: undefined }),
      gap: fc.constantFrom(0, 0, 0, 1, 700, 60_000),
    }),
    { maxLength: 150 },
  )
  fc.assert(
    fc.property(comers, fc.integer({ min: 1, max: 4 }), (given, perMinute) => {
      const { keeper, clock } = keeperOn(memoryStore(), [
        { by: ['tool', 'actor'], perMinute, over: 'refuse' },
      ])
      const dueAt = new Map<string, number>()
      for (const { tool, tenant, actor, gap } of given) {
        clock.now += gap
        const key = JSON.stringify([tool, tenant, actor ?? null])
        const rate = { perMinute, burst: perMinute }
        const isFree = waitMsFor(dueAt.get(key), rate, clock.now) === 0
        if (isFree) dueAt.set(key, dueAfter(dueAt.get(key), rate, clock.now))
        const row = { tenant, ...(actor !== undefined && { actor }) }
        expect(keeper.ask(callOf(tool, row)) === undefined).toBe(isFree)
      }
    }),
  )
})
