import { describe, expect, it, vi } from 'vitest'
import { createCrib, defineHook, defineTool, memoryStore, sqliteStore, type ApprovalAnswer } from 'toolcrib'
import { collect, createGate, onBothStores, openCrib, temporaryStorePath } from '../scenarios/open-crib.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

onBothStores('canceling a call', (newStore) => {
  it('before it runs: the executor is not called', async () => {
    const execute = vi.fn()
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 't', description: 'T.', ...quiet, execute })],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    call.cancel()
    const result = await call
    expect(result).toMatchObject({
      status: 'canceled',
      abort_reason: 'user_interruption',
      error: { error_class: 'canceled', recoverability: 'retry', toolcrib: { retry: { safe: true } } },
    })
    expect(execute).not.toHaveBeenCalled()
    expect(await crib.invocation(call.invocationId)).toMatchObject({
      status: 'canceled',
      cancel_requested: true,
    })
  })

  it('during an approval aborts the approver’s signal, and a later answer changes nothing', async () => {
    const asked = createGate<AbortSignal>()
    const answer = createGate<ApprovalAnswer>()
    const execute = vi.fn()
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 't', description: 'T.', execute })],
      approver: ({ signal }) => {
        asked.open(signal)
        return answer.promise
      },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    const signal = await asked.promise
    call.cancel()
    expect(await call).toMatchObject({ status: 'canceled' })
    expect(signal.aborted).toBe(true)
    answer.open({ approved: true })
    await new Promise(setImmediate)
    expect(execute).not.toHaveBeenCalled()
    expect((await crib.invocation(call.invocationId))!.status_transitions!.map(({ to }) => to)).toEqual([
      'planned',
      'selected',
      'arguments_ready',
      'awaiting_approval',
      'canceled',
    ])
  })

  it('during a pre hook: the executor is not called', async () => {
    const inHook = createGate()
    const goOn = createGate()
    const execute = vi.fn()
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 't', description: 'T.', ...quiet, execute })],
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
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    await inHook.promise
    call.cancel('sibling_error')
    goOn.open()
    expect(await call).toMatchObject({ status: 'synthetic_error', abort_reason: 'sibling_error' })
    expect(execute).not.toHaveBeenCalled()
  })

  it('through the caller’s signal aborts the executor', async () => {
    const started = createGate()
    const controller = new AbortController()
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 't',
          description: 'T.',
          ...quiet,
          execute: (_input, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason))
              started.open()
            }),
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't', signal: controller.signal })
    await started.promise
    controller.abort()
    expect(await call).toMatchObject({ status: 'canceled', abort_reason: 'user_interruption' })
  })

  it('through a signal has no effect after the call has ended', async () => {
    const controller = new AbortController()
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 't', description: 'T.', ...quiet, execute: () => 'ok' })],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't', signal: controller.signal })
    expect((await call).status).toBe('succeeded')
    controller.abort()
    const types = (await collect(crib.events())).map(({ event_type: type }) => type)
    expect(types).not.toContain('toolcrib.invocation.cancel_requested')
  })
})

describe('closing a crib', () => {
  const waiting = (started: { open(): void }, finish: Promise<void>, more: object = {}) =>
    defineTool({
      name: 't',
      description: 'T.',
      ...quiet,
      execute: async (_input, { signal }) => {
        started.open()
        await Promise.race([
          finish,
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        ])
        return 'finished'
      },
      ...more,
    })

  it('lets a running call end', async () => {
    const [started, finish] = [createGate(), createGate()]
    const crib = await createCrib({ store: memoryStore(), tools: [waiting(started, finish.promise)] })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    await started.promise
    const closed = crib.close({ graceMs: 60_000 })
    finish.open()
    expect((await call).status).toBe('succeeded')
    await closed
  })

  it('cancels calls that do not end within the grace time', async () => {
    const started = createGate()
    const crib = await createCrib({ store: memoryStore(), tools: [waiting(started, new Promise(() => {}))] })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    await started.promise
    await crib.close({ graceMs: 0 })
    expect(await call).toMatchObject({ status: 'canceled', abort_reason: 'runtime_shutdown' })
  })

  it('cancels a tool with interruptBehavior "cancel" at once', async () => {
    const started = createGate()
    const tool = waiting(started, new Promise(() => {}), { interruptBehavior: 'cancel' })
    const crib = await createCrib({ store: memoryStore(), tools: [tool] })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    await started.promise
    await crib.close({ graceMs: 600_000 })
    expect(await call).toMatchObject({ status: 'canceled', abort_reason: 'runtime_shutdown' })
  })

  it('cancels a call that waits for an approver', async () => {
    const asked = createGate()
    const crib = await createCrib({
      store: memoryStore(),
      tools: [defineTool({ name: 't', description: 'T.', execute: () => 1 })],
      approver: () => {
        asked.open()
        return new Promise<ApprovalAnswer>(() => {})
      },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    await asked.promise
    await crib.close({ graceMs: 600_000 })
    expect(await call).toMatchObject({ status: 'canceled', abort_reason: 'runtime_shutdown' })
  })

  it('may end the calls before it: those of a batch that wait for their turn never begin, the record can be read', async () => {
    const started = createGate()
    const execute = vi.fn()
    const crib = await createCrib({
      store: memoryStore(),
      cancelGraceMs: 1,
      tools: [
        waiting(started, new Promise(() => {})),
        defineTool({ name: 'next', description: 'N.', ...quiet, execute }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const batch = crib.batch(surface, [{ name: 't' }, { name: 'next' }])
    await started.promise
    await crib.endCalls()
    const ended = { status: 'canceled', abort_reason: 'runtime_shutdown' }
    expect(await batch).toMatchObject([ended, ended])
    expect(await crib.call(surface, { name: 'next' })).toMatchObject(ended)
    expect(execute).not.toHaveBeenCalled()
    expect(await collect(crib.invocations({ status: 'canceled' }))).toHaveLength(3)
    await crib.close()
  })

  it('loses no record: another crib reads the calls from the file', async () => {
    const path = temporaryStorePath()
    const started = createGate()
    const crib = await createCrib({
      store: sqliteStore({ path }),
      cancelGraceMs: 1,
      tools: [
        waiting(started, new Promise(() => {})),
        defineTool({ name: 'quick', description: 'Q.', ...quiet, execute: () => 'ok' }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const slow = crib.call(surface, { name: 't' })
    await started.promise
    const quick = crib.call(surface, { name: 'quick' })
    await crib.close({ graceMs: 0 })
    const again = await openCrib({ store: sqliteStore({ path }) })
    expect((await again.result(slow.invocationId))!.status).toBe('canceled')
    expect((await again.result(quick.invocationId))!.status).toBe((await quick).status)
    expect(await collect(again.invocations({ status: 'running' }))).toEqual([])
  })

  it('a later call does not run', async () => {
    const execute = vi.fn()
    const crib = await createCrib({
      store: memoryStore(),
      tools: [defineTool({ name: 't', description: 'T.', ...quiet, execute })],
    })
    const surface = await crib.surface({ scope: 'turn' })
    await crib.close()
    expect(await crib.call(surface, { name: 't' })).toMatchObject({ is_error: true })
    expect(execute).not.toHaveBeenCalled()
  })
})
