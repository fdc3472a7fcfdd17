import { afterEach, expect, it, vi } from 'vitest'
import {
  defineHook,
  defineTool,
  memoryStore,
  partialResult,
  toolFailure,
  type Call,
  type CallOptions,
  type CribOptions,
  type ExecuteContext,
  type Store,
} from 'toolcrib'
import { toExecutionProfile } from '../../src/catalog/records/to-profiles.js'
import { collect, createGate, onBothStores, openCrib } from '../scenarios/open-crib.js'
import { endChildren, runChild } from '../storage/run-child.js'

afterEach(endChildren)

const HOUR_MS = 3_600_000
/** Waits short enough for a test. */
const quick = { baseMs: 1, maxMs: 20 }
/** Waits that only end early. */
const endless = { max: 3, baseMs: HOUR_MS, maxMs: HOUR_MS }

const down = () => toolFailure('dependency_unavailable', 'Nobody answers.')

onBothStores('retries', (newStore) => {
  /** A tool that may be repeated by default, in a crib that allows everything. */
  async function open(
    execute: (attempt: number, context: ExecuteContext) => unknown,
    more: object = {},
    options: Partial<CribOptions> = {},
  ) {
    const tool = defineTool({
      name: 't',
      description: 'T.',
      isIdempotent: true,
      execute: (_input, context) => execute(context.attempt, context),
      ...more,
    })
    const crib = await openCrib({
      store: newStore(),
      tools: [tool],
      decider: () => ({ behavior: 'allow' }),
      random: () => 0.5,
      ...options,
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = (given: Partial<CallOptions> = {}) => crib.call(surface, { name: 't', ...given })
    const eventsOf = async ({ invocationId }: Call) =>
      (await collect(crib.events())).filter(({ invocation_id: id }) => id === invocationId)
    return { crib, call, eventsOf }
  }

  const failUntil = (last: number, error: () => unknown = down) =>
    vi.fn((attempt: number) => {
      if (attempt < last) throw error()
      return `attempt ${attempt}`
    })

  /** Resolves when the call waits for its next attempt. */
  async function backingOff(call: Call): Promise<void> {
    for await (const { event_type: type } of call) if (type === 'tool.invocation.queued') return
  }

  it('each attempt is recorded, and all share one idempotency key', async () => {
    const seen: [number, string][] = []
    const { crib, call, eventsOf } = await open(
      async (attempt, { idempotencyKey }) => {
        seen.push([attempt, idempotencyKey])
        if (attempt < 3) throw down()
        return 'at last'
      },
      { retries: { max: 3, ...quick } },
    )
    const made = call()
    expect(await made).toMatchObject({
      status: 'succeeded',
      content: [{ text: 'at last' }],
      toolcrib: { attempts: 3 },
    })
    expect(seen).toEqual([1, 2, 3].map((attempt) => [attempt, made.invocationId]))

    const events = await eventsOf(made)
    const dataOf = (wanted: string) =>
      events.filter(({ event_type: type }) => type === wanted).map(({ data }) => data)
    const error = {
      error_class: 'dependency_unavailable',
      error_code: 'toolcrib.dependency_unavailable',
      message: 'Nobody answers.',
    }
    expect(dataOf('toolcrib.invocation.attempt_failed')).toEqual([
      expect.objectContaining({ attempt: 1, error, retry_in_ms: 1 }),
      expect.objectContaining({ attempt: 2, error, retry_in_ms: 2 }),
    ])
    const started = dataOf('tool.invocation.started')
    expect(started.map((data) => data?.['attempt'])).toEqual([undefined, 2, 3])

    const invocation = (await crib.invocation(made.invocationId))!
    expect(invocation.toolcrib).toMatchObject({ attempts: 3 })
    expect(invocation.started_at).toBe(
      events.find(({ event_type: type }) => type === 'tool.invocation.started')!.time,
    )
    expect(invocation.status_transitions!.map(({ to }) => to).slice(3)).toEqual([
      'running',
      'queued',
      'running',
      'queued',
      'running',
      'succeeded',
    ])
  })

  it('the last error is the result when no attempt is left', async () => {
    const execute = vi.fn((attempt: number) => {
      throw toolFailure('dependency_unavailable', `Nobody answers (${attempt}).`)
    })
    const { crib, call } = await open(execute, { retries: { max: 2, ...quick } })
    const made = call()
    expect(await made).toMatchObject({
      status: 'failed',
      error: { message: 'Nobody answers (3).', toolcrib: { retry: { safe: true } } },
      toolcrib: { attempts: 3 },
    })
    expect(execute).toHaveBeenCalledTimes(3)
    expect((await crib.invocation(made.invocationId))!.toolcrib).toMatchObject({ attempts: 3 })
  })

  it('a call without a retry records one attempt, and its result none', async () => {
    const { crib, call } = await open(() => 'at once', { retries: 3 })
    const made = call()
    expect((await made).toolcrib).not.toHaveProperty('attempts')
    expect((await crib.invocation(made.invocationId))!.toolcrib).toMatchObject({ attempts: 1 })
  })

  it.each<[string, object, () => unknown, number]>([
    ['the tool declares nothing about its effects', { isIdempotent: undefined }, down, 1],
    ['it is not idempotent', { isIdempotent: false }, down, 1],
    ['it only reads', { isIdempotent: undefined, isReadOnly: true }, down, 2],
    ['this input only reads', { isIdempotent: undefined, isReadOnly: () => true }, down, 2],
    ['it is idempotent', {}, () => new Error('broke'), 2],
    [
      'the failure says that nothing happened',
      { isIdempotent: false },
      () => toolFailure('execution_failed', 'Locked.', { nothingHappened: true }),
      2,
    ],
    [
      'the failure says that something happened',
      { isIdempotent: false },
      () => toolFailure('rate_limited', 'Half done.', { nothingHappened: false }),
      1,
    ],
    [
      'the service limits its rate',
      { isIdempotent: false },
      () => toolFailure('rate_limited', 'Slow down.'),
      2,
    ],
    ['the failure would recur', {}, () => toolFailure('credential_missing', 'No key.'), 1],
    [
      'an unclassified error says that nothing happened',
      { isIdempotent: false },
      () => Object.assign(new Error('x'), { nothingHappened: true }),
      1,
    ],
  ])('the number of attempts if %s', async (_what, more, error, attempts) => {
    const execute = failUntil(2, error)
    const { call } = await open(execute, { retries: { max: 1, ...quick }, ...more })
    expect((await call()).is_error).toBe(attempts === 1)
    expect(execute).toHaveBeenCalledTimes(attempts)
  })

  it.each<[string, object, Partial<CribOptions>, Partial<CallOptions>, number]>([
    ['the default', {}, {}, {}, 1],
    ['the crib’s', {}, { retries: { max: 1, ...quick } }, {}, 2],
    ['the tool’s before the crib’s', { retries: 0 }, { retries: 4 }, {}, 1],
    ['the call’s before the tool’s', { retries: { max: 0, ...quick } }, { retries: 0 }, { retries: 2 }, 3],
    ['the call’s zero', { retries: 4 }, {}, { retries: 0 }, 1],
  ])('the number of attempts is %s', async (_whose, more, options, given, attempts) => {
    const execute = vi.fn(() => {
      throw down()
    })
    const { call } = await open(execute, more, options)
    await call(given)
    expect(execute).toHaveBeenCalledTimes(attempts)
  })

  it('waits for a retry_after; one that is too long ends the call and is in its error', async () => {
    const limited = (retryAfter: number) => () => toolFailure('rate_limited', 'Slow down.', { retryAfter })
    const short = await open(failUntil(2, limited(0.015)), { retries: { max: 1, ...quick } })
    const waited = short.call()
    expect((await waited).status).toBe('succeeded')
    const failed = (await short.eventsOf(waited)).find(
      ({ event_type: type }) => type === 'toolcrib.invocation.attempt_failed',
    )
    expect(failed!.data).toMatchObject({ retry_in_ms: 15 })

    const long = await open(failUntil(2, limited(60)), { retries: { max: 1, ...quick } })
    const result = await long.call()
    expect(result.error).toMatchObject({ error_class: 'rate_limited', retry_after: 60 })
    expect(result.toolcrib).not.toHaveProperty('attempts')
  })

  it('secrets stay out of the record of an attempt', async () => {
    const input = { jsonSchema: { type: 'object', properties: { key: { type: 'string' } } } }
    const { call, eventsOf } = await open(
      failUntil(2, () => new Error('refused hunter2-hunter2')),
      { retries: { max: 1, ...quick }, input, sensitiveFields: ['key'] },
    )
    const made = call({ input: { key: 'hunter2-hunter2' } })
    expect((await made).status).toBe('succeeded')
    expect(JSON.stringify(await eventsOf(made))).not.toContain('hunter2')
  })

  it('open input requests and partial results of an attempt do not affect the next', async () => {
    const never = createGate<never>()
    const { crib, call } = await open(
      async function* (attempt, { requestInput }) {
        yield partialResult({ attempt })
        if (attempt === 1) {
          void requestInput({ message: 'Which one?' })
          throw down()
        }
        return 'done'
      },
      { retries: { max: 1, ...quick } },
      { responder: () => never.promise },
    )
    const made = call()
    expect((await made).status).toBe('succeeded')
    expect((await crib.story(made.invocationId))!.partials.map(({ value }) => value)).toEqual([
      { attempt: 1 },
      { attempt: 2 },
    ])
  })

  it('a cancellation ends the wait at once, and failure hooks still run', async () => {
    const execute = failUntil(2)
    const onFailure = vi.fn()
    const { crib, call } = await open(
      execute,
      { retries: endless },
      { hooks: [defineHook({ id: 'after', event: 'post_tool_use_failure', run: onFailure })] },
    )
    const made = call()
    await backingOff(made)
    made.cancel()
    expect(await made).toMatchObject({
      status: 'canceled',
      abort_reason: 'user_interruption',
      error: {
        error_class: 'canceled',
        recoverability: 'retry',
        message:
          'The call was given up between two attempts: it was canceled. The last one failed: Nobody answers.',
        toolcrib: { retry: { safe: true } },
      },
    })
    expect(execute).toHaveBeenCalledOnce()
    expect(onFailure).toHaveBeenCalledOnce()
    const invocation = (await crib.invocation(made.invocationId))!
    expect(invocation).toMatchObject({ status: 'canceled', toolcrib: { attempts: 1 } })
    expect(invocation).toHaveProperty('started_at')
  })

  it('a crib that closes does not wait for another attempt', async () => {
    const execute = failUntil(2)
    const { crib, call } = await open(execute, { retries: endless })
    const made = call()
    await backingOff(made)
    await crib.close({ graceMs: HOUR_MS })
    expect(await made).toMatchObject({ status: 'canceled', abort_reason: 'runtime_shutdown' })
    expect(execute).toHaveBeenCalledOnce()
  })

  it('a closing crib starts no further attempt', async () => {
    const started = createGate()
    const finish = createGate()
    const { crib, call } = await open(
      async () => {
        started.open()
        await finish.promise
        throw down()
      },
      { retries: { max: 5, ...quick } },
    )
    const made = call()
    await started.promise
    const closed = crib.close({ graceMs: HOUR_MS })
    finish.open()
    expect(await made).toMatchObject({ status: 'failed', error: { message: 'Nobody answers.' } })
    await closed
  })

  it('a timed-out attempt has its own signal, and its progress and result are discarded', async () => {
    const contexts: ExecuteContext[] = []
    const late = createGate()
    const { crib, call, eventsOf } = await open(
      async (attempt, context) => {
        contexts.push(context)
        if (attempt === 1) {
          await late.promise
          context.progress('still here')
          return 'too late'
        }
        const wasAborted = context.signal.aborted
        late.open()
        await new Promise(setImmediate)
        return { wasAborted }
      },
      { retries: { max: 1, ...quick }, timeoutMs: 150 },
    )
    const made = call()
    expect(await made).toMatchObject({ structured_content: { wasAborted: false }, toolcrib: { attempts: 2 } })
    // Read only now: the first attempt must not get the signal of the second.
    expect(contexts.map(({ attempt, signal }) => [attempt, signal.aborted])).toEqual([
      [1, true],
      [2, false],
    ])
    const discarded = (await eventsOf(made)).filter(
      ({ event_type: type }) => type === 'toolcrib.result.late_discarded',
    )
    expect(discarded.map(({ data }) => data)).toEqual([
      expect.objectContaining({ outcome: 'succeeded', attempt: 1 }),
    ])
    expect((await crib.story(made.invocationId))!.progress).toEqual([])
  })

  it('a call that was retried after a timeout can still be canceled', async () => {
    const second = createGate()
    const { call } = await open(
      (attempt, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          if (attempt === 2) second.open()
        }),
      { retries: { max: 1, ...quick }, timeoutMs: 20 },
    )
    const made = call()
    await second.promise
    made.cancel()
    expect(await made).toMatchObject({ status: 'canceled', abort_reason: 'user_interruption' })
  })

  it('the caller’s timeout covers all attempts: a wait beyond it does not begin', async () => {
    const execute = failUntil(2)
    const { call } = await open(execute, { retries: endless })
    expect(await call({ timeoutMs: 60_000 })).toMatchObject({
      status: 'failed',
      error: { error_class: 'dependency_unavailable' },
    })
    expect(execute).toHaveBeenCalledOnce()
  })

  it('the caller’s timeout ends the current attempt', async () => {
    const { call } = await open(
      (attempt) => {
        if (attempt === 1) throw down()
        return new Promise(() => {})
      },
      { isReadOnly: true, retries: { max: 50, ...quick } },
    )
    const result = await call({ timeoutMs: 250 })
    expect(result).toMatchObject({
      status: 'timed_out',
      abort_reason: 'timeout',
      error: {
        error_class: 'timeout',
        message:
          'The call with its 2 attempts did not finish within 250 ms and was given up; it may still have an effect.',
      },
      toolcrib: { attempts: 2 },
    })
  })

  it('the tool’s timeout covers one attempt, the caller’s all of them', async () => {
    const execute = vi.fn(() => new Promise(() => {}))
    const { call } = await open(execute, { isReadOnly: true, timeoutMs: 2, retries: { max: 1000, ...quick } })
    const result = await call({ timeoutMs: 1000 })
    expect(result).toMatchObject({ status: 'timed_out', error: { error_class: 'timeout' } })
    expect(execute.mock.calls.length).toBeGreaterThan(1)
    expect(execute.mock.calls.length).toBeLessThan(1000)
  })

  it('without retries the caller’s timeout counts, even if it is longer than the tool’s', async () => {
    const finish = () => new Promise((resolve) => setTimeout(resolve, 30, 'done'))
    const { call } = await open(finish, { timeoutMs: 2 })
    expect((await call({ timeoutMs: 60_000 })).status).toBe('succeeded')
  })

  it('[AT-EXEC-01] the profile says whether the runtime retries', async () => {
    const { crib } = await open(() => 1, { retries: 2 })
    await crib.add([defineTool({ name: 'once', description: 'Once.', retries: 0, execute: () => 1 })])
    expect(toExecutionProfile(crib.tool('t')!).supports_retries).toBe(true)
    expect(toExecutionProfile(crib.tool('once')!).supports_retries).toBe(false)
  })
})

it('the caller’s timeout also ends a wait in the queue for another attempt', async () => {
  // A store that failed once and then hangs: nothing starts until it has accepted the pending facts.
  const inner = memoryStore()
  const free = createGate()
  let isBroken = false
  let failures = 0
  const store: Store = {
    ...inner,
    write: (group) => {
      if (!isBroken) return inner.write(group)
      if (failures++ === 0) throw new Error('The disk is full.')
      return free.promise.then(() => inner.write(group))
    },
  }
  const execute = vi.fn(() => {
    isBroken = true
    throw down()
  })
  const tool = defineTool({
    name: 't',
    description: 'T.',
    isReadOnly: true,
    isOpenWorld: false,
    retries: { max: 1, baseMs: 60 },
    execute,
  })
  const crib = await openCrib({ store, tools: [tool] })
  const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't', timeoutMs: 300 })
  expect(await call).toMatchObject({
    status: 'timed_out',
    abort_reason: 'timeout',
    error: { error_class: 'timeout', toolcrib: { retry: { safe: true } } },
  })
  expect(execute).toHaveBeenCalledOnce()
  free.open()
})

it('only the wait for another attempt keeps the process alive, and no longer than it lasts', async () => {
  const printed = await runChild(new URL('./children/leave-no-timer.mjs', import.meta.url))
  expect(printed.trim().split('\n')).toEqual(['succeeded', 'canceled'])
})
