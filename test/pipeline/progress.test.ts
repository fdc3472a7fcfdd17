import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  defineTool,
  partialResult,
  type Crib,
  type CribOptions,
  type ExecuteContext,
  type ProgressUpdate,
  type ToolProgress,
} from 'toolcrib'
import { expectRecord } from '../edges/cli/run-cli.js'
import { createGate, onBothStores, openCrib } from '../scenarios/open-crib.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

/** A clock that only a test advances. */
function handClock() {
  let now = Date.UTC(2026, 0, 1)
  return { clock: () => now, pass: (ms: number) => void (now += ms) }
}

async function open(
  execute: (input: unknown, context: ExecuteContext) => unknown,
  options: CribOptions = {},
): Promise<Crib> {
  return openCrib({
    tools: [defineTool({ name: 'work', description: 'Works.', ...quiet, execute })],
    ...options,
  })
}

const refs = (from: number, to: number) =>
  Array.from({ length: to - from }, (_none, at) => ({ ref_id: `r${from + at}` }))

/** The recorded progress of one call. */
async function recordedOf(
  execute: (input: unknown, context: ExecuteContext) => unknown,
  options: CribOptions = {},
): Promise<ToolProgress[]> {
  const crib = await open(execute, options)
  const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'work' })
  await call
  const { progress } = (await crib.story(call.invocationId))!
  for (const each of progress) expectRecord('tool_progress', each)
  const sequences = progress.map(({ sequence }) => sequence)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
  return progress
}

afterEach(() => {
  vi.useRealTimers()
})

onBothStores('frequent progress', (newStore) => {
  it('is merged: the first and the last report are recorded', async () => {
    const kept = await recordedOf(
      (_input, { progress }) => {
        for (let step = 1; step <= 1000; step++) progress({ percent: step / 10, message: `step ${step}` })
      },
      { store: newStore(), clock: handClock().clock },
    )
    expect(kept).toMatchObject([
      { message: 'step 1', percent: 0.1 },
      { message: 'step 1000', percent: 100 },
    ])
    expect(kept).toHaveLength(2)
  })

  it('is limited per second, however long it continues', async () => {
    const { clock, pass } = handClock()
    const seconds = 3
    const kept = await recordedOf(
      (_input, { progress }) => {
        for (let step = 0; step < seconds * 1000; step++) {
          progress({ line_count: step })
          pass(1)
        }
      },
      { store: newStore(), clock, maxProgressPerSecond: 5 },
    )
    const counts = kept.map(({ line_count: count }) => count!)
    expect(counts[0]).toBe(0)
    expect(counts.at(-1)).toBe(seconds * 1000 - 1)
    expect(kept.length).toBeLessThanOrEqual(seconds * 5 + 2)
    expect(kept.length).toBeGreaterThanOrEqual(seconds * 5)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  })
})

describe('a waiting progress report', () => {
  it('is recorded when its time comes, without a further report', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const reported = createGate()
    const finish = createGate()
    const crib = await open(
      async (_input, { progress }) => {
        progress('one')
        progress('two')
        progress('three')
        reported.open()
        await finish.promise
      },
      { clock: handClock().clock },
    )
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'work' })
    const messages = async () => (await crib.story(call.invocationId))!.progress.map(({ message }) => message)
    await reported.promise
    expect(await messages()).toEqual(['one'])
    vi.advanceTimersByTime(99)
    expect(await messages()).toEqual(['one'])
    vi.advanceTimersByTime(1)
    expect(await messages()).toEqual(['one', 'three'])
    vi.advanceTimersByTime(1000)
    expect(await messages()).toEqual(['one', 'three'])
    finish.open()
    await call
  })

  it('leaves no timer behind when the call ends first', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const crib = await open(
      (_input, { progress }) => {
        progress('one')
        progress('two')
      },
      { clock: handClock().clock },
    )
    const surface = await crib.surface({ scope: 'turn' })
    await crib.flush()
    vi.advanceTimersByTime(50)
    const before = vi.getTimerCount()
    const call = crib.call(surface, { name: 'work' })
    await call
    await crib.flush()
    vi.advanceTimersByTime(50)
    expect(vi.getTimerCount()).toBe(before)
    expect((await crib.story(call.invocationId))!.progress).toMatchObject([
      { message: 'one' },
      { message: 'two' },
    ])
  })

  it('is recorded before a partial result and before an input request', async () => {
    const crib = await openCrib({
      clock: handClock().clock,
      responder: async () => ({ action: 'accept', content: 'yes' }),
      tools: [
        defineTool({
          name: 'work',
          description: 'Works.',
          ...quiet,
          async *execute(_input, { progress, requestInput }) {
            yield 'one'
            yield { message: 'two', bytes_read: 7 }
            yield partialResult('half')
            yield 'three'
            progress('four')
            await requestInput({ message: 'Go on?' })
            return 'done'
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'work' })
    await call
    const listed = []
    for await (const progress of crib.progress(call.invocationId)) listed.push(progress)
    expect(listed.map(({ status, message }) => [status, message])).toEqual([
      ['started', undefined],
      ['running', 'one'],
      ['running', 'two'],
      ['partial_result', undefined],
      ['running', 'four'],
      ['waiting_for_input', 'Go on?'],
      ['running', undefined],
      ['completed', undefined],
    ])
    expect(listed.slice(3).map((each) => each.bytes_read)).toEqual([7, 7, 7, 7, 7])
  })

  it.each<[string, (context: ExecuteContext) => unknown, string]>([
    ['fails', () => Promise.reject(new Error('broken')), 'failed'],
    ['is cancelled', ({ signal }) => untilAborted(signal), 'canceled'],
    ['runs out of time', () => new Promise(() => {}), 'timed_out'],
  ])('is recorded when the call %s', async (_how, ending, status) => {
    const reported = createGate()
    const crib = await open(
      (_input, context) => {
        context.progress('first')
        context.progress({ message: 'last', percent: 40 })
        reported.open()
        return ending(context)
      },
      { clock: handClock().clock, ...(status === 'timed_out' && { timeoutMs: 20 }) },
    )
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'work' })
    await reported.promise
    if (status === 'canceled') call.cancel()
    expect((await call).status).toBe(status)
    expect((await crib.story(call.invocationId))!.progress).toMatchObject([
      { message: 'first' },
      { message: 'last', percent: 40 },
    ])
  })
})

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

describe('maxProgressPerSecond', () => {
  const say = (count: number) => (_input: unknown, context: ExecuteContext) => {
    for (let step = 1; step <= count; step++) context.progress({ line_count: step })
  }

  it('0 records the first and the last report, Infinity all', async () => {
    const { clock, pass } = handClock()
    const slowly = (_input: unknown, context: ExecuteContext) => {
      for (let step = 1; step <= 20; step++) {
        context.progress({ line_count: step })
        pass(60_000)
      }
    }
    const countsOf = async (options: CribOptions) =>
      (await recordedOf(slowly, options)).map((each) => each.line_count)
    expect(await countsOf({ clock, maxProgressPerSecond: 0 })).toEqual([1, 20])
    expect(await recordedOf(say(50), { maxProgressPerSecond: Infinity })).toHaveLength(50)
  })

  it('a clock that is set back delays no report', async () => {
    const { clock, pass } = handClock()
    const kept = await recordedOf(
      (_input, { progress }) => {
        progress('one')
        pass(-3_600_000)
        progress('two')
        progress('three')
      },
      { clock },
    )
    expect(kept.map(({ message }) => message)).toEqual(['one', 'two', 'three'])
  })

  it.each([-1, Number.NaN, '10', null])('refuses %s', async (wrong) => {
    await expect(openCrib({ maxProgressPerSecond: wrong as never })).rejects.toThrow(
      /"maxProgressPerSecond" must be a number of 0 or more/,
    )
  })
})

describe('[AT-PROG-02] a progress record', () => {
  const sayAll =
    (updates: readonly (ProgressUpdate | string)[]) => (_input: unknown, context: ExecuteContext) => {
      for (const update of updates) context.progress(update)
    }

  it('has the later value of each field and all artifacts', async () => {
    const ref = (name: string) => ({ ref_id: name })
    const [, merged] = await recordedOf(
      sayAll([
        'go',
        { message: 'a', percent: 10, bytes_read: 1, artifact_refs: [ref('x')] },
        { percent: 20, current_step: 'two', artifact_refs: [ref('x'), ref('y')] },
        { message: 'b', total_steps: 3 },
      ]),
      { clock: handClock().clock },
    )
    expect(merged).toMatchObject({
      message: 'b',
      percent: 20,
      bytes_read: 1,
      current_step: 'two',
      total_steps: 3,
      artifact_refs: [ref('x'), ref('y')],
    })
  })

  it('keeps earlier fields; a message appears once', async () => {
    const all = {
      percent: 5,
      current_step: 'first',
      total_steps: 9,
      bytes_read: 1,
      bytes_written: 2,
      line_count: 3,
      task_id: 'bg_1',
    }
    const [, second, third] = await recordedOf(
      sayAll(['go', { ...all, message: 'all of it' }, { bytes_read: 10 }]),
      { maxProgressPerSecond: Infinity },
    )
    expect(second).toMatchObject({ ...all, message: 'all of it' })
    expect(third).toMatchObject({ ...all, bytes_read: 10 })
    expect(third).not.toHaveProperty('message')
  })

  it('[AT-PROG-07] has the fields of a process, and the timeout', async () => {
    const kept = await recordedOf(
      sayAll([
        { stdout_bytes: 1, stderr_bytes: 2, pid: 77, line_count: 4, task_id: 'job' },
        { stdout_bytes: 5, exit_code: 0 },
      ]),
      { maxProgressPerSecond: Infinity, timeoutMs: 1234 },
    )
    const process = { stderr_bytes: 2, pid: 77, timeout_ms: 1234 }
    expect(kept).toMatchObject([
      { line_count: 4, task_id: 'job', elapsed_ms: expect.any(Number) },
      { line_count: 4, task_id: 'job', elapsed_ms: expect.any(Number) },
    ])
    expect(kept.map(({ toolcrib }) => toolcrib)).toEqual([
      { ...process, stdout_bytes: 1 },
      { ...process, stdout_bytes: 5, exit_code: 0 },
    ])
  })

  it('ignores wrong and unknown fields', async () => {
    const wrong = [
      null,
      undefined,
      5,
      [],
      { percent: Number.NaN, message: 5, current_step: 2, total_steps: 1.5, bytes_read: '7' },
      { sequence: 99, status: 'completed', invocation_id: 'inv_other', toolcrib: { forged: true }, pid: 'x' },
      { artifact_refs: ['text', { ref_id: 'good' }, null], timestamp: 'now', progress_id: 'mine' },
    ]
    const kept = await recordedOf(sayAll(wrong as never), { maxProgressPerSecond: Infinity })
    for (const each of kept) {
      expect(each.status).toBe('running')
      expect(each.invocation_id).not.toBe('inv_other')
      expect(Object.keys(each.toolcrib!)).toEqual(['timeout_ms'])
      expect(each).not.toHaveProperty('message')
      expect(each).not.toHaveProperty('percent')
    }
    expect(kept.at(-1)!.artifact_refs).toEqual([{ ref_id: 'good' }])
  })

  it('is truncated if it is too long, and never within a character', async () => {
    const [one, two] = await recordedOf(
      (_input, { progress }) => {
        progress({ message: '😀'.repeat(3000), current_step: 'x'.repeat(4000) })
        progress({ message: 'é'.repeat(4001), artifact_refs: refs(0, 80) })
        progress({ artifact_refs: [...refs(60, 160), ...refs(200, 1000)] })
      },
      { clock: handClock().clock },
    )
    expect(one!.message).toBe(`${'😀'.repeat(1999)}…`)
    expect(one!.current_step).toBe('x'.repeat(4000))
    expect(two!.message).toBe(`${'é'.repeat(3999)}…`)
    expect(two!.artifact_refs).toEqual(refs(0, 100))
  })

  it('is redacted before it is truncated: no half of a secret remains', async () => {
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      ...quiet,
      input: {
        jsonSchema: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
      },
      sensitiveFields: ['key'],
      execute: ({ key }, { progress }) => progress(`${'x'.repeat(3990)}${key}`),
    })
    const crib = await openCrib({ tools: [tool] })
    const call = crib.call(await crib.surface({ scope: 'turn' }), {
      name: 'work',
      input: { key: 'very-secret-words-of-somebody' },
    })
    await call
    expect(JSON.stringify((await crib.story(call.invocationId))!.progress)).not.toContain('very-sec')
  })

  it('does not change when the executor or a reader changes its objects', async () => {
    const update = { bytes_read: 1, artifact_refs: [{ ref_id: 'a' }] }
    const crib = await open(
      (_input, { progress }) => {
        progress('go')
        progress(update)
        update.bytes_read = 2
        update.artifact_refs[0]!.ref_id = 'b'
      },
      { clock: handClock().clock },
    )
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'work' })
    await call
    expect((await crib.story(call.invocationId))!.progress[1]).toMatchObject({
      bytes_read: 1,
      artifact_refs: [{ ref_id: 'a' }],
    })
  })

  it('holds no secrets of the input, also in merged reports', async () => {
    const crib = await openCrib({
      clock: handClock().clock,
      tools: [
        defineTool({
          name: 'work',
          description: 'Works.',
          ...quiet,
          sensitiveFields: ['password'],
          execute(_input, { progress }) {
            progress('go')
            progress({
              message: 'is hunter22',
              current_step: 'hunter22',
              artifact_refs: [{ uri: 'hunter22' }],
            })
            progress({ task_id: 'hunter22' })
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), {
      name: 'work',
      input: { password: 'hunter22' },
    })
    await call
    const { progress } = (await crib.story(call.invocationId))!
    expect(progress).toHaveLength(2)
    expect(JSON.stringify(progress)).not.toContain('hunter22')
  })
})
