import { retryGuidance } from '../../../src/contract/retry-guidance.js'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore, sqliteStore, type Store, type ToolError } from 'toolcrib'
import { expectRecord } from '../../edges/cli/run-cli.js'
import { temporaryStorePath } from '../../scenarios/open-crib.js'
import { callOf, keeperOn } from './ask-rate-limits.js'

const failure = (errorClass: ToolError['error_class'], code = 'x'): ToolError => ({
  error_class: errorClass,
  error_code: code,
  message: 'It failed.',
})
const down = failure('dependency_unavailable')

/** Admits a call and ends it with this error. */
async function made(on: ReturnType<typeof keeperOn>, tool: string, error?: ToolError): Promise<void> {
  const call = callOf(tool)
  expect(await on.ask(call)).toBe('in')
  on.keeper.ended(call, { hasRun: true, error })
}

const breaker = { failures: 2, openMs: 10_000 }

describe('a source that keeps failing', () => {
  it('is not called, for the time that the error states', async () => {
    const on = keeperOn(memoryStore(), [], { breaker })
    await made(on, 'web.fetch', down)
    await made(on, 'web.search', failure('timeout'))
    on.clock.now += 2_500
    const error = await on.refusal(callOf('web.fetch'))
    expectRecord('tool_error', error)
    expect(error).toEqual({
      error_class: 'dependency_unavailable',
      error_code: 'toolcrib.circuit_open',
      message:
        'The call was not made: the source "mcp.web" has failed several times in a row and is left alone for now. Try again in 7.5 s.',
      recoverability: 'retry_later',
      retry_after: 7.5,
      toolcrib: {
        retry: retryGuidance('dependency_unavailable', { retrySafe: true }),
        source: 'mcp.web',
      },
    })
    // Other sources are not affected.
    await made(on, 'mail.send')
    on.clock.now += 7_500
    const probe = callOf('web.search')
    expect(await on.ask(probe)).toBe('in')
    expect(await on.refusal(callOf('web.fetch'))).toMatchObject({
      error_code: 'toolcrib.circuit_open',
      retry_after: 1,
    })
    on.keeper.ended(probe, { hasRun: true, error: undefined })
    await made(on, 'web.fetch')
    expect(on.keeper.circuits!.list()).toEqual([
      { source: 'mcp.web', state: 'closed', failures: 0 },
      { source: 'mcp.mail', state: 'closed', failures: 0 },
    ])
  })

  it.each<[string, ToolError | undefined]>([
    ['success', undefined],
    ['error of another kind', failure('execution_failed')],
    ['limit of its own', failure('rate_limited')],
  ])('is considered working after a call that ends in a %s', async (_how, error) => {
    const on = keeperOn(memoryStore(), [], { breaker })
    await made(on, 'web.fetch', down)
    await made(on, 'web.fetch', error)
    await made(on, 'web.fetch', down)
    await made(on, 'web.fetch')
  })

  it.each<[string, ToolError]>([
    ['was cancelled', failure('canceled')],
    ['was cancelled by a sibling', failure('sibling_canceled')],
    ['could not be recorded', failure('dependency_unavailable', 'toolcrib.store_failed')],
    ['another process took over', failure('dependency_unavailable', 'toolcrib.owner_changed')],
  ])('is not considered working after a call that %s', async (_how, error) => {
    const on = keeperOn(memoryStore(), [], { breaker })
    await made(on, 'web.fetch', down)
    await made(on, 'web.fetch', error)
    await made(on, 'web.fetch', down)
    expect(await on.ask(callOf('web.fetch'))).toBe('toolcrib.circuit_open')
  })

  it('counts each call once, and a call that never ran not at all', async () => {
    const on = keeperOn(memoryStore(), [], { breaker })
    const call = callOf('web.fetch')
    await on.ask(call)
    on.keeper.ended(call, { hasRun: true, error: down })
    on.keeper.ended(call, { hasRun: true, error: down })
    on.keeper.ended(callOf('web.fetch'), { hasRun: true, error: down })
    expect(on.keeper.circuits!.list()).toMatchObject([{ failures: 1 }])
    // Cancelled while it waited for a lock: its end without an error shows nothing.
    const waiting = callOf('web.fetch')
    await on.ask(waiting)
    waiting.cancelReason = 'user_interruption'
    on.keeper.ended(waiting, { hasRun: false, error: undefined })
    expect(on.keeper.circuits!.list()).toMatchObject([{ failures: 1 }])
    // A timeout is a failure, although it cancels the call too.
    const slow = callOf('web.fetch')
    await on.ask(slow)
    slow.cancelReason = 'timeout'
    on.keeper.ended(slow, { hasRun: true, error: failure('timeout') })
    expect(await on.ask(callOf('web.fetch'))).toBe('toolcrib.circuit_open')
  })

  it('is probed by another call when a probe was cancelled or never ended', async () => {
    const on = keeperOn(memoryStore(), [], { breaker })
    await made(on, 'web.fetch', down)
    await made(on, 'web.fetch', down)
    on.clock.now += 10_000
    await made(on, 'web.fetch', failure('canceled'))
    const lost = callOf('web.fetch')
    expect(await on.ask(lost)).toBe('in')
    expect(await on.ask(callOf('web.fetch'))).toBe('toolcrib.circuit_open')
    on.clock.now += 10_000
    await made(on, 'web.fetch')
    expect(on.keeper.circuits!.list()).toMatchObject([{ state: 'closed' }])
  })

  it('is only watched if it is configured', async () => {
    const on = keeperOn(memoryStore(), [], { breaker: { failures: 1, sources: ['mcp.w*'] } })
    await made(on, 'mail.send', down)
    await made(on, 'math.add', down)
    await made(on, 'mail.send', down)
    await made(on, 'web.fetch', down)
    expect(await on.ask(callOf('web.fetch'))).toBe('toolcrib.circuit_open')
  })

  it('has defaults', async () => {
    const on = keeperOn(memoryStore(), [], { breaker: {} })
    for (let call = 0; call < 5; call++) await made(on, 'web.fetch', down)
    expect((await on.refusal(callOf('web.fetch'))).retry_after).toBe(30)
  })
})

describe('a source that keeps failing, and limits beside it', () => {
  const stores: Store[] = []
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
  })

  it.each([
    ['memory', () => memoryStore()],
    ['sqlite', () => sqliteStore({ path: temporaryStorePath() })],
  ])('uses up no limit while its circuit is open (%s)', async (_kind, newStore) => {
    const store = newStore()
    stores.push(store)
    await store.open()
    const on = keeperOn(store, [{ by: 'tool', perMinute: 2, over: 'refuse' }], {
      breaker: { failures: 1, openMs: 1_000 },
    })
    await made(on, 'web.fetch', down)
    for (let call = 0; call < 3; call++)
      expect(await on.ask(callOf('web.fetch'))).toBe('toolcrib.circuit_open')
    on.clock.now += 1_000
    // A probe that the limits refuse frees its slot.
    await made(on, 'web.fetch', failure('canceled'))
    expect(await on.ask(callOf('web.fetch'))).toBe('toolcrib.rate_limited')
    expect(await on.ask(callOf('web.fetch'))).toBe('toolcrib.rate_limited')
    await made(on, 'web.search')
    expect(on.keeper.circuits!.list()).toMatchObject([{ state: 'closed' }])
  })
})
