import { describe, expect, it, vi } from 'vitest'
import { createCrib, defineHook, defineTool, memoryStore, type Verdict } from 'toolcrib'
import { createGate, onBothStores, openCrib } from '../scenarios/open-crib.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

onBothStores('cancellation', (newStore) => {
  it('a signal that was aborted beforehand stops the call, also once the schema is compiled', async () => {
    const execute = vi.fn(() => 'ran')
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'go', description: 'Goes.', ...quiet, execute })],
    })
    const surface = await crib.surface({ scope: 'turn' })
    await crib.call(surface, { name: 'go' })
    execute.mockClear()
    const result = await crib.call(surface, { name: 'go', signal: AbortSignal.abort() })
    expect(result).toMatchObject({ status: 'canceled', abort_reason: 'user_interruption' })
    expect(execute).not.toHaveBeenCalled()
  })

  it('a call that was cancelled while its hooks ran is not asked about', async () => {
    const inHook = createGate()
    const goOn = createGate()
    const approver = vi.fn(() => ({ approved: true as const }))
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'write', description: 'Writes.', execute: () => 'written' })],
      hooks: [
        defineHook({
          id: 'slow',
          event: 'pre_tool_use',
          run: async () => {
            inHook.open()
            await goOn.promise
          },
        }),
      ],
      approver,
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write' })
    await inHook.promise
    call.cancel()
    goOn.open()
    expect((await call).status).toBe('canceled')
    expect(approver).not.toHaveBeenCalled()
  })

  it('a hook hears that the call was cancelled', async () => {
    const inHook = createGate<AbortSignal>()
    const goOn = createGate()
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'write', description: 'Writes.', execute: () => 'written' })],
      hooks: [
        defineHook({
          id: 'slow',
          event: 'pre_tool_use',
          run: async ({ signal }) => {
            inHook.open(signal)
            await goOn.promise
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write' })
    const signal = await inHook.promise
    call.cancel()
    const wasTold = signal.aborted
    goOn.open()
    await call
    expect(wasTold).toBe(true)
  })

  it('a call that was cancelled before its executor began has no start', async () => {
    const asked = createGate()
    const execute = vi.fn(() => 'written')
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'write', description: 'Writes.', execute })],
      decider: () => {
        asked.open()
        return { behavior: 'allow' }
      },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write' })
    await asked.promise
    call.cancel()
    await call
    // Whichever came first: a start is on record exactly when the executor was reached.
    const invocation = (await crib.invocation(call.invocationId))!
    expect('started_at' in invocation).toBe(execute.mock.calls.length > 0)
    expect('call_input' in invocation).toBe(execute.mock.calls.length > 0)
  })
})

describe('closing', () => {
  it('does not wait forever for a decider that never answers', async () => {
    const asked = createGate()
    const never = createGate<Verdict>()
    const crib = await createCrib({
      store: memoryStore(),
      tools: [defineTool({ name: 'write', description: 'Writes.', execute: () => 'written' })],
      decider: () => {
        asked.open()
        return never.promise
      },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write' })
    await asked.promise
    const closed = crib.close({ graceMs: 0 }).then(() => 'closed')
    const patience = new Promise<string>((resolve) => setTimeout(() => resolve('still waiting'), 500))
    const outcome = await Promise.race([closed, patience])
    never.open({ behavior: 'deny' })
    await Promise.all([call, closed])
    expect(outcome).toBe('closed')
  })

  it('a second close waits for the first', async () => {
    const started = createGate()
    const finish = createGate()
    const crib = await createCrib({
      store: memoryStore(),
      tools: [
        defineTool({
          name: 'slow',
          description: 'Takes its time.',
          ...quiet,
          async execute() {
            started.open()
            await finish.promise
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'slow' })
    await started.promise
    let isFirstDone = false
    const first = crib.close().then(() => (isFirstDone = true))
    const second = crib.close().then(() => isFirstDone)
    await new Promise(setImmediate)
    finish.open()
    await Promise.all([call, first])
    expect(await second).toBe(true)
  })

  it('a call on a closed crib does not keep the process busy', async () => {
    const store = memoryStore()
    let attempts = 0
    const counting = {
      ...store,
      write(group: Parameters<typeof store.write>[0]) {
        attempts++
        return store.write(group)
      },
    }
    const crib = await createCrib({
      store: counting,
      tools: [defineTool({ name: 'go', description: 'Goes.', ...quiet, execute: () => 'went' })],
    })
    const surface = await crib.surface({ scope: 'turn' })
    await crib.close()
    expect(await crib.call(surface, { name: 'go' })).toMatchObject({ is_error: true })
    attempts = 0
    await new Promise((resolve) => setTimeout(resolve, 200))
    // One last try is fair; trying every few milliseconds for ever is not.
    expect(attempts).toBeLessThan(5)
  })
})
