import { expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import { collect, createGate, onBothStores, openCrib } from '../scenarios/open-crib.js'
import { createWorkbench, settle } from './workbench.js'

onBothStores('interrupts', (newStore) => {
  async function open(more: { cancelGraceMs?: number } = {}) {
    const bench = createWorkbench()
    const ended = createGate()
    const deaf = defineTool({
      name: 'deaf',
      description: 'Does not listen.',
      isReadOnly: true,
      isConcurrencySafe: true,
      isOpenWorld: false,
      interruptBehavior: 'cancel',
      input: { jsonSchema: { type: 'object' } },
      async execute() {
        bench.gate('deaf').open()
        await ended.promise
        return 'too late'
      },
    })
    const crib = await openCrib({
      store: newStore(),
      decider: () => ({ behavior: 'allow' }),
      tools: [...bench.tools, deaf],
      ...more,
    })
    const surface = await crib.surface({ scope: 'turn', session: 's1' })
    return { ...bench, crib, surface, ended }
  }

  it('cancel stops a tool, block lets it run, and calls that have not started end', async () => {
    const { crib, surface, gate, started, log } = await open()
    const batch = crib.batch(surface, [
      { name: 'read_cancel', input: { as: 'stops' } },
      { name: 'read', input: { as: 'blocks' } },
      { name: 'write', input: { as: 'waits' } },
    ])
    await Promise.all([started('stops'), started('blocks')])
    batch.interrupt()
    // The next turn of the session waits for the running tool, although it could run beside it.
    const next = crib.batch(surface, [{ name: 'read', input: { as: 'next' } }])
    await settle()
    expect(log).not.toContain('+next')
    gate('blocks').open()
    gate('next').open()
    expect(await batch).toMatchObject([
      { status: 'canceled', abort_reason: 'user_interruption' },
      { status: 'succeeded' },
      { status: 'canceled', abort_reason: 'user_interruption' },
    ])
    expect((await next)[0]!.status).toBe('succeeded')
    expect(log).not.toContain('+waits')
    expect(log.indexOf('+next')).toBeGreaterThan(log.indexOf('-blocks'))
  })

  it('a second interrupt stops tools that blocked', async () => {
    const { crib, surface, started } = await open()
    const batch = crib.batch(surface, [{ name: 'write', input: { as: 'blocks' } }])
    await started('blocks')
    batch.interrupt()
    await settle()
    expect((await crib.invocation(batch.calls[0]!.invocationId))!.status).toBe('running')
    batch.interrupt()
    expect((await batch)[0]).toMatchObject({ status: 'canceled', abort_reason: 'user_interruption' })
  })

  it('a second interrupt does not wait for a tool that ignores it; its late result is recorded as discarded', async () => {
    const { crib, surface, gate, ended } = await open({ cancelGraceMs: 3_600_000 })
    const call = crib.call(surface, { name: 'deaf' })
    await gate('deaf').promise
    call.interrupt()
    await settle()
    expect((await crib.invocation(call.invocationId))!).toMatchObject({
      status: 'running',
      cancel_requested: true,
    })
    call.interrupt()
    expect(await call).toMatchObject({ status: 'canceled', abort_reason: 'user_interruption' })
    ended.open()
    await settle()
    await crib.flush()
    const types = (await collect(crib.events({ invocation: call.invocationId }))).map(
      ({ event_type: type }) => type,
    )
    expect(types).toContain('toolcrib.invocation.cancel_failed')
    expect(types).not.toContain('toolcrib.invocation.cancel_acknowledged')
    expect(types.at(-1)).toBe('toolcrib.result.late_discarded')
    expect(await crib.invocation(call.invocationId)).toMatchObject({
      status: 'canceled',
      cancel_requested: true,
      cancel_failed: true,
      abort_reason: 'user_interruption',
    })
  })

  it('a second cancel has no further effect', async () => {
    const { crib, surface, gate, ended } = await open({ cancelGraceMs: 3_600_000 })
    const batch = crib.batch(surface, [{ name: 'deaf' }])
    await gate('deaf').promise
    batch.cancel()
    batch.cancel()
    ended.open()
    expect((await batch)[0]).toMatchObject({ status: 'succeeded' })
  })
})
