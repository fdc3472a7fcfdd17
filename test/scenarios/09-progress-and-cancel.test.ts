import { expect, it } from 'vitest'
import { defineTool, partialResult } from 'toolcrib'
import { toExecutionProfile } from '../../src/catalog/records/to-profiles.js'
import { collect, createGate, onBothStores, openCrib, steppingClock } from './open-crib.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

onBothStores('[AT-SCEN-09] acceptance scenario 9: ordered progress and truthful cancellation', (newStore) => {
  it('[AR-CALL-04] [AT-PROG-01] [AT-PROG-02] progress comes in order, with times and counters', async () => {
    const crib = await openCrib({
      store: newStore(),
      clock: steppingClock(),
      tools: [
        defineTool({
          name: 'count',
          description: 'Counts.',
          ...quiet,
          async *execute() {
            yield 'reading'
            yield { message: 'halfway', percent: 50, current_step: 'two', total_steps: 4 }
            yield partialResult({ so_far: 2 })
            yield { bytes_read: 10, bytes_written: 5, line_count: 3, task_id: 'bg_1', percent: 120 }
            return 'counted'
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'count' })
    const streamed = await collect(call)
    expect((await call).status).toBe('succeeded')
    const { progress } = (await crib.story(call.invocationId))!
    expect(progress).toHaveLength(4)
    expect(progress).toMatchObject([
      { status: 'running', message: 'reading' },
      { status: 'running', message: 'halfway', percent: 50, current_step: 'two', total_steps: 4 },
      { status: 'partial_result' },
      { bytes_read: 10, bytes_written: 5, line_count: 3, task_id: 'bg_1', percent: 100 },
    ])
    const sequences = progress.map(({ sequence }) => sequence)
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
    expect(new Set(sequences).size).toBe(4)
    expect(new Set(progress.map(({ progress_id: id }) => id)).size).toBe(4)
    // Earlier counters are kept, and the runtime adds the elapsed time.
    expect(progress[3]).toMatchObject({
      current_step: 'two',
      total_steps: 4,
      toolcrib: { timeout_ms: 120_000 },
    })
    expect(progress[3]).not.toHaveProperty('message')
    const elapsed = progress.map((each) => each.elapsed_ms!)
    expect(elapsed[0]).toBeGreaterThan(0)
    expect(elapsed).toEqual([...elapsed].sort((a, b) => a - b))
    for (const { timestamp } of progress) expect(new Date(timestamp).toISOString()).toBe(timestamp)

    // The sequence is the event's position in its call, live and in the log.
    for (const event of streamed) {
      const inside = event.data?.['progress'] as { sequence: number } | undefined
      if (inside) expect(inside.sequence).toBe(event.toolcrib?.['sequence'])
    }
    expect(streamed.map(({ toolcrib }) => toolcrib!['sequence'])).toEqual(
      streamed.map((_, index) => index + 1),
    )
  })

  it('progress is available while the call runs, also to a reader of the log', async () => {
    const said = createGate()
    const finish = createGate()
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'slow',
          description: 'Takes its time.',
          ...quiet,
          async execute(_input, { progress }) {
            progress({ message: 'under way', percent: 10 })
            said.open()
            await finish.promise
            return 'done'
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'slow' })
    await said.promise
    const story = (await crib.story(call.invocationId))!
    expect(story.invocation.status).toBe('running')
    expect(story.progress).toMatchObject([{ message: 'under way', percent: 10 }])
    finish.open()
    await call
  })

  it('a reader that comes back continues where it was, to the end of the call', async () => {
    const crib = await openCrib({
      store: newStore(),
      maxProgressPerSecond: Infinity,
      tools: [
        defineTool({
          name: 'count',
          description: 'Counts.',
          ...quiet,
          async *execute() {
            for (let line = 1; line <= 5; line++) {
              yield { line_count: line }
              await new Promise(setImmediate)
            }
            return 'counted'
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const { invocation_id: id } = await crib.call(surface, { name: 'count', runInBackground: true })
    const seen = []
    // A reader that loses its connection after every record.
    for (let since = 0; seen.at(-1)?.status !== 'completed'; since = seen.at(-1)!.sequence) {
      for await (const each of crib.progress(id, { since, follow: true })) {
        seen.push(each)
        break
      }
    }
    expect(seen).toEqual(await collect(crib.progress(id)))
    expect(seen.map(({ status, line_count: line }) => [status, line])).toEqual([
      ['backgrounded', undefined],
      ['started', undefined],
      ...[1, 2, 3, 4, 5].map((line) => ['running', line]),
      ['completed', 5],
    ])
    for (const { progress_id: ref } of seen) expect(await crib.resolveRef(ref)).toBeDefined()
  })

  it('progress that an executor reports after the end is ignored', async () => {
    let late: ((message: string) => void) | undefined
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'chatty',
          description: 'Talks on.',
          ...quiet,
          execute(_input, { progress }) {
            late = progress
            return 'done'
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'chatty' })
    await call
    late!('still here')
    expect((await crib.story(call.invocationId))!.progress).toEqual([])
  })

  it('[AT-PROG-04] [AT-PROG-06] [AT-EXEC-01] the profile says whether a tool can be cancelled', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({ name: 'deaf', description: 'Cannot be stopped.', execute: () => 1 }),
        defineTool({
          name: 'polite',
          description: 'Can be stopped.',
          supports: ['progress', 'cancel'],
          execute: () => 1,
        }),
      ],
    })
    const profileOf = (name: string) => toExecutionProfile(crib.tool(name)!)
    expect(profileOf('deaf')).toMatchObject({
      supports_cancel: false,
      supports_timeout: true,
      supports_background: true,
    })
    expect(profileOf('polite')).toMatchObject({ supports_cancel: true, supports_resume: false })
    const stated = Object.entries(profileOf('deaf')).filter(([key]) => /^(supports_|sandboxed)/.test(key))
    expect(stated).toHaveLength(13)
    for (const [, value] of stated) expect(typeof value).toBe('boolean')
  })

  it('[AT-PROG-03] a tool that observes the signal acknowledges the cancellation', async () => {
    const started = createGate()
    const crib = await openCrib({
      store: newStore(),
      cancelGraceMs: 60_000,
      tools: [
        defineTool({
          name: 'polite',
          description: 'Can be stopped.',
          ...quiet,
          supports: ['cancel'],
          execute: (_input, { signal }) =>
            new Promise<never>((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason))
              started.open()
            }),
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'polite' })
    await started.promise
    call.cancel()
    expect(await call).toMatchObject({
      status: 'canceled',
      is_error: true,
      abort_reason: 'user_interruption',
      error: { error_class: 'canceled' },
    })
    const { invocation } = (await crib.story(call.invocationId))!
    expect(invocation).toMatchObject({
      status: 'canceled',
      cancel_requested: true,
      cancel_acknowledged: true,
      abort_reason: 'user_interruption',
    })
    expect(invocation).not.toHaveProperty('cancel_failed')
  })

  it('a tool that ignores the signal is abandoned, and the record says that it may continue', async () => {
    const started = createGate()
    const finish = createGate()
    const crib = await openCrib({
      store: newStore(),
      cancelGraceMs: 1,
      tools: [
        defineTool({
          name: 'deaf',
          description: 'Cannot be stopped.',
          ...quiet,
          async execute() {
            started.open()
            await finish.promise
            return 'done after all'
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'deaf' })
    await started.promise
    call.cancel()
    const result = await call
    expect(result).toMatchObject({ status: 'canceled', error: { recoverability: 'inspect_first' } })
    expect(result.error!.message).toContain('may still have an effect')
    expect(result.error!.error_code).toBe('toolcrib.cancel_failed')
    expect(result.ui_facing_summary).toMatch(
      /was told to stop and did not confirm that it has\. It may still be running/,
    )
    expect(JSON.stringify(result)).not.toContain('was stopped')
    const { invocation } = (await crib.story(call.invocationId))!
    expect(invocation).toMatchObject({ cancel_requested: true, cancel_failed: true })
    expect(invocation).not.toHaveProperty('cancel_acknowledged')

    finish.open()
    await new Promise(setImmediate)
    const events = (await collect(crib.events())).filter((e) => e.invocation_id === call.invocationId)
    expect(events.at(-1)).toMatchObject({
      event_type: 'toolcrib.result.late_discarded',
      data: { outcome: 'succeeded' },
    })
    expect(await crib.result(call.invocationId)).toMatchObject({ status: 'canceled' })
  })

  it('a cancellation that comes too late is recorded and changes nothing', async () => {
    const started = createGate()
    const finish = createGate()
    const crib = await openCrib({
      store: newStore(),
      cancelGraceMs: 60_000,
      tools: [
        defineTool({
          name: 'nearly',
          description: 'Is nearly done.',
          ...quiet,
          async execute() {
            started.open()
            await finish.promise
            return 'done'
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'nearly' })
    await started.promise
    call.cancel()
    call.cancel('runtime_shutdown')
    finish.open()
    expect(await call).toMatchObject({ status: 'succeeded', is_error: false })
    const { invocation } = (await crib.story(call.invocationId))!
    expect(invocation).toMatchObject({ status: 'succeeded', cancel_requested: true })
    call.cancel()
    const requests = (await collect(crib.events())).filter(
      ({ event_type: type }) => type === 'toolcrib.invocation.cancel_requested',
    )
    expect(requests).toHaveLength(1)
  })

  it('a generator that is cancelled runs its finally block', async () => {
    const started = createGate()
    let cleaned = false
    const crib = await openCrib({
      store: newStore(),
      cancelGraceMs: 60_000,
      tools: [
        defineTool({
          name: 'walk',
          description: 'Walks.',
          ...quiet,
          async *execute(_input, { signal }) {
            try {
              yield 'first step'
              started.open()
              await new Promise((_resolve, reject) =>
                signal.addEventListener('abort', () => reject(signal.reason)),
              )
              yield 'never'
            } finally {
              cleaned = true
            }
            return 'arrived'
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'walk' })
    await started.promise
    call.cancel()
    expect((await call).status).toBe('canceled')
    expect(cleaned).toBe(true)
    expect(await crib.invocation(call.invocationId)).toMatchObject({ cancel_acknowledged: true })
  })
})
