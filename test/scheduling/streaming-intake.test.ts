import { expect, it } from 'vitest'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'
import { createWorkbench, settle } from './workbench.js'

onBothStores('calls that are added while the model is still streaming', (newStore) => {
  async function open() {
    const bench = createWorkbench()
    const crib = await openCrib({
      store: newStore(),
      decider: () => ({ behavior: 'allow' }),
      tools: bench.tools,
    })
    const surface = await crib.surface({ scope: 'turn', session: 's1' })
    return { ...bench, crib, surface, batch: crib.openBatch(surface) }
  }

  it('a read-only call starts immediately; side effects wait for the end of the answer', async () => {
    const { batch, log, gate, started } = await open()
    gate('a').open()
    gate('b').open()
    batch.add({ name: 'read', input: { as: 'a' } })
    await started('a')
    batch.add({ name: 'locked', input: { as: 'b', keys: ['k'] } })
    await settle()
    expect(log).toEqual(['+a', '-a'])
    const results = await batch.finish()
    expect(results.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(log).toEqual(['+a', '-a', '+b', '-b'])
    expect(() => batch.add({ name: 'read' })).toThrow('The batch is finished; open another for more calls.')
  })

  it('a read behind a write waits with it', async () => {
    const { batch, log, gate } = await open()
    for (const name of ['w', 'r']) gate(name).open()
    batch.add({ name: 'write', input: { as: 'w' } })
    batch.add({ name: 'read', input: { as: 'r' } })
    await settle()
    expect(log).toEqual([])
    await batch.finish()
    expect(log).toEqual(['+w', '-w', '+r', '-r'])
  })

  it('a call whose arguments are still streaming keeps its slot and does not start', async () => {
    const { batch, log, gate } = await open()
    for (const name of ['a', 'b']) gate(name).open()
    const draft = batch.begin({ name: 'read', nativeCallId: 'call_1' })
    draft.append('{"as":')
    batch.add({ name: 'read', input: { as: 'b' } })
    await settle()
    expect(log).toEqual([])
    draft.append('"a"}')
    draft.complete()
    expect(() => draft.append('x')).toThrow('are complete')
    await settle()
    const results = await batch.finish()
    expect(results.map(({ toolcrib, status }) => [toolcrib!['native_call_id'], status])).toEqual([
      ['call_1', 'succeeded'],
      [undefined, 'succeeded'],
    ])
    expect(log[0]).toBe('+a')
  })

  it('a call that is never completed ends with an error that says so', async () => {
    const { batch } = await open()
    batch.begin({ name: 'read' }).append('{"as":')
    const [result] = await batch.finish()
    expect(result).toMatchObject({ status: 'failed', error: { error_class: 'schema_validation_failed' } })
  })

  it('[AT-PIPE-02] [AT-RES-03] a fallback discards calls that have not run, and keeps the results of those that have', async () => {
    const { batch, log, gate, started, crib } = await open()
    gate('done').open()
    batch.add({ name: 'read', input: { as: 'done' } })
    batch.add({ name: 'read', input: { as: 'running' } })
    batch.add({ name: 'write', input: { as: 'waiting' } })
    batch.begin({ name: 'read' }).append('{"as":"complete, but not said to be"}')
    await Promise.all([started('done'), started('running'), batch.calls[0]])
    const results = await batch.fallback()
    const discarded = {
      status: 'discarded',
      abort_reason: 'fallback',
      error: { error_class: 'streaming_fallback_discarded' },
    }
    expect(results).toMatchObject([{ status: 'succeeded' }, discarded, discarded, discarded])
    await settle()
    expect(log).toEqual(['+done', '+running', '-done', '-running'])
    const last = await crib.invocation(batch.calls[2]!.invocationId)
    expect(last).toMatchObject({ status: 'canceled', scheduler: { state: 'discarded' } })
    expect(last).not.toHaveProperty('started_at')
  })

  it('after a call has ended the batch for all, calls that are added later do not start', async () => {
    const { crib, surface, log, gate } = await open()
    const batch = crib.openBatch(surface, { sibling_failure_policy: 'cancel_siblings' })
    gate('a').open()
    await batch.add({ name: 'read', input: { as: 'a', fails: true } })
    batch.add({ name: 'read', input: { as: 'b' } })
    const results = await batch.finish()
    expect(results.map(({ status }) => status)).toEqual(['failed', 'synthetic_error'])
    expect(log).toEqual(['+a', '-a'])
  })
})
