import { expect, it, vi } from 'vitest'
import { defineTool, type BatchPolicy } from 'toolcrib'
import { onBothStores, openCrib } from './open-crib.js'

onBothStores('[AT-SCEN-11] acceptance scenario 11: how a failing call affects the others', (newStore) => {
  async function run(policy: BatchPolicy) {
    const ran = vi.fn()
    const stopped = vi.fn()
    const quiet = { isReadOnly: true, isConcurrencySafe: true, isOpenWorld: false } as const
    const crib = await openCrib({
      store: newStore(),
      decider: () => ({ behavior: 'allow' }),
      tools: [
        defineTool({
          name: 'fails',
          description: 'Fails.',
          ...quiet,
          async execute() {
            await new Promise(setImmediate)
            throw new Error('broke')
          },
        }),
        defineTool({
          name: 'long',
          description: 'Works until it is told to stop, or long enough.',
          ...quiet,
          supports: ['cancel'],
          execute: (_input, { signal }) =>
            new Promise((resolve, reject) => {
              const timer = setTimeout(() => resolve('done'), 30)
              signal.addEventListener('abort', () => {
                clearTimeout(timer)
                stopped()
                reject(signal.reason)
              })
            }),
        }),
        defineTool({ name: 'next', description: 'Notes that it ran.', ...quiet, execute: () => ran() }),
      ],
    })
    const batch = crib.batch(
      await crib.surface({ scope: 'turn', session: 's1' }),
      [
        { name: 'fails', id: 'first' },
        { name: 'long' },
        { name: 'next', id: 'second', dependsOn: ['first'] },
        { name: 'next', dependsOn: ['second'] },
      ],
      policy,
    )
    const results = await batch
    const invocations = await Promise.all(batch.calls.map(async (call) => crib.invocation(call.invocationId)))
    return { results, ran, stopped, invocations, first: batch.calls[0]!.invocationId }
  }

  const sibling = {
    status: 'synthetic_error',
    is_error: true,
    abort_reason: 'sibling_error',
    error: { error_class: 'sibling_canceled' },
  }

  it('ignore: parallel and later calls run as if nothing had happened', async () => {
    const { results, ran } = await run({})
    expect(results.map(({ status }) => status)).toEqual(['failed', 'succeeded', 'succeeded', 'succeeded'])
    expect(ran).toHaveBeenCalledTimes(2)
  })

  it('[AT-SCHED-04] cancel_dependent: direct and indirect dependents end with a synthetic result', async () => {
    const { results, ran, first, invocations } = await run({ sibling_failure_policy: 'cancel_dependent' })
    expect(results.map(({ status }) => status)).toEqual([
      'failed',
      'succeeded',
      'synthetic_error',
      'synthetic_error',
    ])
    expect(results[2]).toMatchObject({ ...sibling, error: { toolcrib: { sibling: first } } })
    expect(results[3]).toMatchObject(sibling)
    expect(invocations[2]).toMatchObject({
      status: 'canceled',
      cancel_requested: true,
      abort_reason: 'sibling_error',
    })
    expect(invocations[2]).not.toHaveProperty('started_at')
    expect(ran).not.toHaveBeenCalled()
  })

  it('[AT-PIPE-02] [AT-RES-03] cancel_siblings: running calls are stopped, waiting ones never start', async () => {
    const { results, ran, stopped } = await run({ sibling_failure_policy: 'cancel_siblings' })
    expect(results.map(({ status }) => status)).toEqual([
      'failed',
      'synthetic_error',
      'synthetic_error',
      'synthetic_error',
    ])
    for (const result of results.slice(1)) expect(result).toMatchObject(sibling)
    expect(stopped).toHaveBeenCalledOnce()
    expect(ran).not.toHaveBeenCalled()
  })
})
