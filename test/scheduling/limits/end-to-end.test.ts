import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineTool, toolFailure, type Crib, type CribOptions, type ToolDraft } from 'toolcrib'
import { expectRecord } from '../../edges/cli/run-cli.js'
import { createGate, onBothStores, openCrib } from '../../scenarios/open-crib.js'

type Execute = (input: never, context: never) => unknown

function toolOf(name: string, execute: Execute = () => 'done', more: object = {}): ToolDraft {
  return defineTool({
    namespace: 'web',
    name,
    description: 'Does it.',
    isReadOnly: true,
    isOpenWorld: false,
    isConcurrencySafe: true,
    execute: execute as () => unknown,
    ...more,
  })
}

/** The outcomes of calls, in the order in which they were made. */
async function outcomes(crib: Crib, count: number, request: object = {}): Promise<string[]> {
  const surface = await crib.surface({ scope: 'session', ...request })
  const found: string[] = []
  for (let call = 0; call < count; call++) {
    const result = await crib.call(surface, { name: 'web.fetch' })
    expectRecord('tool_result', result)
    found.push(result.error?.error_code ?? result.status)
  }
  return found
}

describe('limits on calls', () => {
  onBothStores('over the limit', (newStore) => {
    const open = (options: CribOptions) => openCrib({ store: newStore(), ...options })

    it('a call gets a result that says when to retry', async () => {
      let now = Date.UTC(2026, 0, 1)
      const executor = vi.fn(() => 'done')
      const crib = await open({
        tools: [toolOf('fetch', executor, { aliases: ['get'] })],
        limits: [{ by: 'tool', of: 'get', perMinute: 2, over: 'refuse' }],
        clock: () => now,
      })
      const surface = await crib.surface({ scope: 'session' })
      expect(await outcomes(crib, 2)).toEqual(['succeeded', 'succeeded'])
      const call = crib.call(surface, { name: 'get' })
      const result = await call
      expectRecord('tool_result', result)
      expect(result).toMatchObject({
        status: 'failed',
        is_error: true,
        error: {
          error_class: 'rate_limited',
          error_code: 'toolcrib.rate_limited',
          retry_after: 30,
          recoverability: 'retry_later',
        },
      })
      expect(executor).toHaveBeenCalledTimes(2)
      const invocation = (await crib.invocation(call.invocationId))!
      expectRecord('tool_invocation', invocation)
      expect(invocation.status).toBe('blocked')
      const [limit] = (await crib.limits()).limits
      expect(limit!.counts).toEqual([{ of: { tool: 'web.fetch' }, used: 2, waitMs: 30_000 }])
      now += 30_000
      expect(await outcomes(crib, 2)).toEqual(['succeeded', 'toolcrib.rate_limited'])
    })

    it('actors are counted separately, also in one session', async () => {
      const crib = await open({
        tools: [toolOf('fetch')],
        limits: [{ by: 'actor', perMinute: 1, over: 'refuse' }],
        clock: () => 0,
      })
      expect(await outcomes(crib, 2, { actor: 'a', session: 's' })).toEqual([
        'succeeded',
        'toolcrib.rate_limited',
      ])
      expect(await outcomes(crib, 1, { actor: 'b', session: 's' })).toEqual(['succeeded'])
    })

    it('a call waits for its turn if the wait is short enough', async () => {
      const executor = vi.fn(() => 'done')
      const crib = await open({
        tools: [toolOf('fetch', executor)],
        // 20 ms from one to the next.
        limits: [{ by: 'tool', perMinute: 3_000, burst: 1 }],
      })
      const surface = await crib.surface({ scope: 'session' })
      const calls = Array.from({ length: 5 }, () => crib.call(surface, { name: 'web.fetch' }))
      const results = await Promise.all(calls)
      expect(results.map(({ status }) => status)).toEqual(calls.map(() => 'succeeded'))
      expect(executor).toHaveBeenCalledTimes(5)
    })

    it('a waiting call can be cancelled', async () => {
      const crib = await open({ tools: [toolOf('fetch')], limits: [{ by: 'tool', perMinute: 1 }] })
      const surface = await crib.surface({ scope: 'session' })
      await crib.call(surface, { name: 'web.fetch' })
      const waiting = crib.call(surface, { name: 'web.fetch' })
      setImmediate(() => waiting.cancel())
      expect((await waiting).status).toBe('canceled')
    })

    it('the budget of one run does not affect other runs', async () => {
      const crib = await open({ tools: [toolOf('fetch')], limits: [{ by: 'tenant', perRun: 2 }] })
      const spent = ['succeeded', 'succeeded', 'toolcrib.budget_spent']
      expect(await outcomes(crib, 3, { session: 's1' })).toEqual(spent)
      expect(await outcomes(crib, 1, { session: 's1', actor: 'another' })).toEqual(['toolcrib.budget_spent'])
      expect(await outcomes(crib, 3, { session: 's2' })).toEqual(spent)
      // Without a session each surface is a run.
      expect(await outcomes(crib, 3)).toEqual(spent)
      expect(await outcomes(crib, 3)).toEqual(spent)
    })

    it.each(['wait', 'refuse'] as const)('no more calls run at a time than allowed (%s)', async (over) => {
      let running = 0
      let most = 0
      const gates = [createGate(), createGate()]
      let started = 0
      const both = createGate()
      const execute = async () => {
        const own = started++
        most = Math.max(most, ++running)
        if (started === 2) both.open()
        await gates[own]?.promise
        running--
      }
      const crib = await open({
        tools: [toolOf('fetch', execute)],
        limits: [{ by: 'tool', concurrent: 2, over }],
      })
      const surface = await crib.surface({ scope: 'session' })
      const calls = Array.from({ length: 4 }, () => crib.call(surface, { name: 'web.fetch' }))
      await both.promise
      const report = await crib.limits()
      expect(report.limits[0]!.counts).toEqual([{ of: { tool: 'web.fetch' }, running: 2 }])
      for (const gate of gates) gate.open()
      const ends = (await Promise.all(calls)).map(({ error, status }) => error?.error_code ?? status)
      expect(most).toBe(2)
      const last = over === 'wait' ? 'succeeded' : 'toolcrib.too_many_at_once'
      expect(ends).toEqual(['succeeded', 'succeeded', last, last])
    })
  })

  describe('a source that keeps failing', () => {
    const health = { isDown: true }
    let now = 0
    beforeEach(() => {
      health.isDown = true
      now = Date.UTC(2026, 0, 1)
    })
    afterEach(() => vi.restoreAllMocks())

    it('is refused immediately while its circuit is open, and tried again afterwards', async () => {
      const executor = vi.fn(() => {
        if (health.isDown) throw toolFailure('dependency_unavailable', 'Nobody there.')
        return 'done'
      })
      const crib = await openCrib({
        sources: [{ name: 'mcp.web', list: async () => [toolOf('fetch', executor)] }],
        tools: [defineTool({ namespace: 'own', name: 'go', description: 'Goes.', execute: () => 'gone' })],
        breaker: { failures: 3, openMs: 10_000, sources: ['mcp.*'] },
        decider: () => ({ behavior: 'allow' }),
        clock: () => now,
      })
      const down = 'toolcrib.dependency_unavailable'
      const open = 'toolcrib.circuit_open'
      expect(await outcomes(crib, 5)).toEqual([down, down, down, open, open])
      expect(executor).toHaveBeenCalledTimes(3)
      const surface = await crib.surface({ scope: 'session' })
      now += 4_000
      expect((await crib.call(surface, { name: 'web.fetch' })).error).toMatchObject({
        error_class: 'dependency_unavailable',
        error_code: open,
        retry_after: 6,
        toolcrib: { retry: { safe: true }, source: 'mcp.web' },
      })
      expect((await crib.call(surface, { name: 'own.go' })).status).toBe('succeeded')
      expect((await crib.limits()).breaker!.circuits).toEqual([
        { source: 'mcp.web', state: 'open', failures: 0, retryAfterMs: 6_000 },
      ])
      now += 6_000
      expect(await outcomes(crib, 2)).toEqual([down, open])
      now += 10_000
      health.isDown = false
      expect(await outcomes(crib, 3)).toEqual(['succeeded', 'succeeded', 'succeeded'])
    })

    it('does not open its circuit after invalid input or cancelled calls', async () => {
      const crib = await openCrib({
        sources: [
          {
            name: 'mcp.web',
            list: async () => [
              toolOf('fetch', () => {
                throw toolFailure('dependency_unavailable', 'Nobody there.')
              }),
              toolOf('fail', () => {
                throw new Error('wrong input')
              }),
            ],
          },
        ],
        breaker: { failures: 2, openMs: 10_000 },
        clock: () => now,
      })
      const surface = await crib.surface({ scope: 'session' })
      for (let round = 0; round < 3; round++) {
        expect(await outcomes(crib, 1)).toEqual(['toolcrib.dependency_unavailable'])
        expect((await crib.call(surface, { name: 'web.fail' })).error!.error_class).toBe('execution_failed')
      }
    })
  })
})
