import { expect, it } from 'vitest'
import { defineTool, type ToolInvocation } from 'toolcrib'
import { createGate, onBothStores, openCrib } from './open-crib.js'

const input = { jsonSchema: { type: 'object', properties: { path: { type: 'string' } } } } as const

onBothStores('[AT-SCEN-10] acceptance scenario 10: parallel reads, exclusive writes in order', (newStore) => {
  it('[AT-SCHED-05] [AR-CONC-01] [AT-SCHED-02] reads run together, writes alone and in the order of the calls', async () => {
    const log: string[] = []
    const bothRead = createGate()
    let reading = 0
    const crib = await openCrib({
      store: newStore(),
      decider: () => ({ behavior: 'allow' }),
      tools: [
        defineTool({
          name: 'read',
          description: 'Read a file.',
          input,
          isReadOnly: true,
          isConcurrencySafe: true,
          isOpenWorld: false,
          async execute({ path }: { path?: string }) {
            log.push(`+${path}`)
            // Ends only if the other read has started as well.
            if (++reading === 2) bothRead.open()
            await bothRead.promise
            log.push(`-${path}`)
            return path
          },
        }),
        defineTool({
          name: 'write',
          description: 'Write a file.',
          input,
          isReadOnly: false,
          isOpenWorld: false,
          async execute({ path }: { path?: string }) {
            log.push(`+${path}`)
            await new Promise(setImmediate)
            log.push(`-${path}`)
            return path
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn', session: 's1' })
    const names = ['read', 'read', 'write', 'write', 'read']
    const results = await crib.batch(
      surface,
      names.map((name, index) => ({ name, input: { path: `${name}${index}` } })),
    )
    expect(results.map(({ structured_content, content }) => structured_content ?? content![0]!.text)).toEqual(
      ['read0', 'read1', 'write2', 'write3', 'read4'],
    )
    expect(log.slice(0, 2).toSorted()).toEqual(['+read0', '+read1'])
    expect(log.slice(4)).toEqual(['+write2', '-write2', '+write3', '-write3', '+read4', '-read4'])
  })

  it('[AR-CALL-07] [AT-EX-05] [AT-SCHED-01] [AT-SCHED-03] the standard’s example of two parallel reads, field by field', async () => {
    const policy = {
      schema_version: '0.2.0',
      scheduler_policy_id: 'sched_parallel_reads',
      ordering_policy: 'preserve_terminal_order',
      yield_policy: 'progress_immediate_results_ordered',
      max_parallel: 10,
      sibling_failure_policy: 'ignore',
      context_modifier_policy: 'defer_until_batch_complete',
    } as const
    const second = createGate()
    const queued: ToolInvocation[] = []
    const crib = await openCrib({
      store: newStore(),
      decider: () => ({ behavior: 'allow' }),
      tools: [
        defineTool({
          toolId: 'tool_file_read',
          name: 'file_read',
          description: 'Read a file.',
          input,
          isReadOnly: true,
          isConcurrencySafe: true,
          isOpenWorld: false,
          interruptBehavior: 'cancel',
          async execute({ path }: { path?: string }, { progress }) {
            progress(`reading ${path}`)
            if (path === 'a') await second.promise
            else second.open()
            return { path }
          },
        }),
        defineTool({
          name: 'wait',
          description: 'Keeps the turn until the invocations behind it have been looked at.',
          isReadOnly: false,
          isOpenWorld: false,
          async execute() {
            await crib.flush()
            for (const { invocationId } of batch.calls.slice(1))
              queued.push((await crib.invocation(invocationId))!)
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn', session: 's1' })
    const batch = crib.batch(
      surface,
      [
        { name: 'wait' },
        { name: 'file_read', input: { path: 'a' } },
        { name: 'file_read', input: { path: 'b' } },
      ],
      policy,
    )
    expect(batch.policy).toMatchObject(policy)
    // What the standard requires of a policy, beyond the example's fields.
    expect(batch.policy).toMatchObject({
      interrupt_behavior: 'block',
      toolcrib: {
        parallel: { concurrency_safe: true, apart_by_locks: true, others: false },
        synthetic_results: {
          user_interruption: 'canceled',
          sibling_error: 'synthetic_error',
          fallback: 'discarded',
          timeout: 'timed_out',
          runtime_shutdown: 'canceled',
        },
      },
    })
    const seen: string[] = []
    for await (const item of batch) {
      if (item.kind === 'result') seen.push(`result ${item.index}`)
      else if (item.event.event_type === 'tool.invocation.progress') seen.push(`progress ${item.index}`)
    }
    // Progress streams at once for both; the results keep the order of the calls.
    expect(seen.filter((each) => each.startsWith('result'))).toEqual(['result 0', 'result 1', 'result 2'])
    const early = seen.slice(0, seen.indexOf('result 1'))
    expect(early).toEqual(expect.arrayContaining(['progress 1', 'progress 2']))
    expect(queued).toHaveLength(2)
    for (const invocation of queued) {
      expect(invocation).toMatchObject({
        tool_id: 'tool_file_read',
        status: 'queued',
        scheduler_policy_ref: `toolcrib://scheduler-policies/${batch.batchId}`,
        scheduler: {
          state: 'queued',
          is_concurrency_safe: true,
          is_read_only: true,
          interrupt_behavior: 'cancel',
        },
      })
    }
    expect(await crib.resolveRef(queued[0]!.scheduler_policy_ref!)).toEqual(batch.policy)
    for (const { invocationId } of batch.calls) {
      expect((await crib.invocation(invocationId))!.scheduler!.state).toBe('yielded')
    }
  })
})
