import { expect, it, vi } from 'vitest'
import {
  defineHook,
  defineTool,
  toolFailure,
  type CribOptions,
  type InputAnswer,
  type ToolOptions,
} from 'toolcrib'
import { collect, createGate, onBothStores, openCrib, shownText } from '../scenarios/open-crib.js'

type Options = ToolOptions<never, never>
const quiet = { isReadOnly: true, isOpenWorld: false } as const

onBothStores('executors', (newStore) => {
  async function open(execute: Options['execute'], more: Partial<Options> = {}, options: CribOptions = {}) {
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 't', description: 'T.', ...quiet, execute, ...more })],
      ...options,
    })
    const surface = await crib.surface({ scope: 'turn' })
    return { crib, call: (given: object = {}) => crib.call(surface, { name: 't', ...given }) }
  }

  const thrown: [string, unknown, string][] = [
    ['an error', new Error('broke'), 'broke'],
    ['a text', 'broke', 'broke'],
    ['an empty text', '', 'The tool failed without a word.'],
    ['undefined', undefined, 'The tool failed without a word.'],
    ['null', null, 'The tool failed without a word.'],
    ['a number', 7, '7'],
    ['an object', { message: 'broke', code: 'E1' }, 'broke'],
    [
      'an object whose getters throw',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no')
          },
        },
      ),
      'The tool failed with something that cannot be shown.',
    ],
  ]

  it.each(thrown)('[AT-ERR-01] that throw %s end in an error result', async (_what, value, message) => {
    for (const execute of [
      () => {
        throw value
      },
      async () => {
        throw value
      },
      async function* () {
        yield 'on the way'
        throw value
      },
    ] as Options['execute'][]) {
      const { call } = await open(execute)
      const result = await call()
      expect(result).toMatchObject({
        status: 'failed',
        is_error: true,
        error: {
          error_class: 'execution_failed',
          message,
          recoverability: 'inspect_first',
          retry_after: null,
        },
      })
      expect(result.error!.error_code).toBe('toolcrib.execution_failed')
    }
  })

  it('that throw a classified failure choose its class and code', async () => {
    const { call } = await open(() => {
      throw toolFailure('rate_limited', 'Too fast.', {
        code: 'http.429',
        retryAfter: 30,
        cause: new Error('x'),
      })
    })
    expect((await call()).error).toMatchObject({
      error_class: 'rate_limited',
      error_code: 'http.429',
      retry_after: 30,
      native_error_ref: 'http.429',
    })
    const other = await open(() => {
      throw Object.assign(new Error('I am the policy'), { errorClass: 'permission_denied' })
    })
    expect((await other.call()).error?.error_class).toBe('execution_failed')
  })

  it('with a long error message get it truncated', async () => {
    const { call } = await open(() => {
      throw new Error('x'.repeat(100_000))
    })
    expect(shownText(await call()).length).toBeLessThan(5000)
  })

  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  it.each<[string, unknown]>([
    ['a cycle', cycle],
    ['a large integer', 10n],
    ['a large integer inside', { n: 10n }],
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
    [
      'an object whose toJSON throws',
      {
        toJSON: () => {
          throw new Error('no')
        },
      },
    ],
  ])('that return %s have run, but their output cannot be recorded', async (_what, output) => {
    const { crib, call } = await open(() => output)
    const made = call()
    expect(await made).toMatchObject({ status: 'failed', error: { error_class: 'result_mapping_failed' } })
    expect((await crib.invocation(made.invocationId))!.status).toBe('failed')
    expect((await call()).error?.error_class).toBe('result_mapping_failed')
  })

  it('that return a class instance give its JSON form', async () => {
    class Point {
      readonly x = 1
      #hidden = 2
      get y(): number {
        return this.#hidden
      }
    }
    expect((await (await open(() => new Point())).call()).structured_content).toEqual({ x: 1 })
    expect((await (await open(() => new Date(0))).call()).structured_content).toBe('1970-01-01T00:00:00.000Z')
  })

  it('that return 50 MB give a preview and a persistence record', async () => {
    const { crib, call } = await open(() => 'å'.repeat(25 * 1024 * 1024))
    const made = call()
    const result = await made
    expect(result).toMatchObject({ status: 'succeeded', is_error: false })
    expect(JSON.stringify(result).length).toBeLessThan(20_000)
    const { persistence } = (await crib.story(made.invocationId))!
    expect(persistence).toMatchObject({
      strategy: 'preview_and_persist',
      reason: 'result_exceeded_inline_limit',
      original_size_bytes: 50 * 1024 * 1024,
      result_id: result.result_id,
    })
    expect(result.persistence_refs).toEqual([persistence!.decision_id])
  })

  it('that return a foreign thenable are awaited', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
    const { call } = await open(() => ({ then: (resolve: (value: unknown) => void) => resolve('later') }))
    expect((await call()).content).toEqual([{ type: 'text', text: 'later' }])
  })

  it.each([
    ['of the call', { timeoutMs: 5 }, {}, {}],
    ['of the tool', {}, { timeoutMs: 5 }, {}],
    ['of the crib', {}, {}, { timeoutMs: 5 }],
    ['of the call before the tool’s', { timeoutMs: 5 }, { timeoutMs: 60_000 }, { timeoutMs: 60_000 }],
    ['of the tool before the crib’s', {}, { timeoutMs: 5 }, { timeoutMs: 60_000 }],
  ])('that never end are given up after the timeout %s', async (_whose, given, more, options) => {
    let wasAborted = false
    const { crib, call } = await open(
      (_input, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => (wasAborted = true))
        }),
      more,
      options,
    )
    const made = call(given)
    const result = await made
    expect(result).toMatchObject({
      status: 'timed_out',
      is_error: true,
      abort_reason: 'timeout',
      error: { error_class: 'timeout', recoverability: 'inspect_first' },
    })
    expect(result.error!.message).toContain('within 5 ms')
    expect(wasAborted).toBe(true)
    expect(await crib.invocation(made.invocationId)).toMatchObject({
      status: 'timed_out',
      abort_reason: 'timeout',
    })
  })

  it.each<['succeeded' | 'failed', () => unknown]>([
    ['succeeded', () => undefined],
    [
      'failed',
      () => {
        throw new Error('too late')
      },
    ],
  ])('that end after their timeout are recorded as discarded: %s', async (outcome, end) => {
    const finish = createGate()
    const { crib, call } = await open(
      async () => {
        await finish.promise
        return end()
      },
      { timeoutMs: 1 },
    )
    const made = call()
    expect((await made).status).toBe('timed_out')
    finish.open()
    await new Promise(setImmediate)
    const events = (await collect(crib.events())).filter(({ invocation_id: id }) => id === made.invocationId)
    expect(events.at(-1)).toMatchObject({ event_type: 'toolcrib.result.late_discarded', data: { outcome } })
    expect(events.filter(({ event_type: type }) => type === 'tool.result.created')).toHaveLength(1)
    expect((await crib.result(made.invocationId))!.status).toBe('timed_out')
  })

  it('that ask for input wait for the answer', async () => {
    const asked = createGate()
    const answer = createGate<InputAnswer>()
    const { crib, call } = await open(
      async (_input, { requestInput }) => requestInput({ message: 'Which one?', schema: { type: 'string' } }),
      {},
      {
        responder: ({ message, invocationId }) => {
          expect(message).toBe('Which one?')
          expect(invocationId).toMatch(/^inv_/)
          asked.open()
          return answer.promise
        },
      },
    )
    const made = call()
    await asked.promise
    expect((await crib.invocation(made.invocationId))!.status).toBe('needs_input')
    answer.open({ action: 'accept', content: 'the first' })
    expect((await made).structured_content).toEqual({ action: 'accept', content: 'the first' })
    const { status_transitions: transitions } = (await crib.invocation(made.invocationId))!
    expect(transitions!.map(({ to }) => to).slice(-4)).toEqual([
      'running',
      'needs_input',
      'running',
      'succeeded',
    ])
  })

  it('that request input get "cancel" if there is no responder or it fails', async () => {
    const ask: Options['execute'] = async (_input, { requestInput }) =>
      requestInput({ message: 'Which one?' })
    const alone = await open(ask)
    const made = alone.call()
    expect((await made).structured_content).toEqual({ action: 'cancel' })
    expect(
      (await alone.crib.invocation(made.invocationId))!.status_transitions!.map(({ to }) => to),
    ).not.toContain('needs_input')
    const broken = await open(ask, {}, { responder: () => Promise.reject(new Error('gone')) })
    expect((await broken.call()).structured_content).toEqual({ action: 'cancel' })
  })

  it('get the ids, the actor and the tenant of their call', async () => {
    const { crib, call } = await open(
      (_input, context) => ({
        invocationId: context.invocationId,
        toolId: context.toolId,
        nativeCallId: context.nativeCallId,
        surfaceId: context.surfaceId,
        actor: context.actor,
        tenant: context.tenant,
        idempotencyKey: context.idempotencyKey,
        isAborted: context.signal.aborted,
      }),
      {},
      { actor: 'agent:1', tenant: 'acme' },
    )
    const made = call({ nativeCallId: 'n1' })
    expect((await made).structured_content).toEqual({
      invocationId: made.invocationId,
      toolId: 'local.t',
      nativeCallId: 'n1',
      surfaceId: (await crib.invocation(made.invocationId))!.surface_id,
      actor: 'agent:1',
      tenant: 'acme',
      idempotencyKey: made.invocationId,
      isAborted: false,
    })
  })

  it('that keep their input and change it later change no record', async () => {
    let kept: { list: number[] } | undefined
    const { crib, call } = await open((input) => {
      kept = input as { list: number[] }
      return kept
    })
    const made = call({ input: { list: [1] } })
    const result = await made
    Reflect.set(kept!.list, 1, 2)
    expect(result.structured_content).toEqual({ list: [1] })
    expect((await crib.invocation(made.invocationId))!.call_input).toEqual({ list: [1] })
  })

  it('[AT-PIPE-05] [AT-PIPE-02] never make the call reject', async () => {
    const odd: Options['execute'][] = [
      () => Promise.reject(),
      () => {
        throw undefined
      },
      () => cycle,
      () =>
        new Proxy(
          {},
          {
            get: () => {
              throw new Error('no')
            },
          },
        ),
      () => Object.create(null) as object,
      async function* () {
        yield cycle as object
        return 1
      },
      (_input, { progress }) => {
        progress(undefined as never)
        return 1
      },
    ]
    for (const execute of odd) {
      const { call } = await open(
        execute,
        {},
        { hooks: [defineHook({ id: 'h', event: 'post_tool_use', run: vi.fn() })] },
      )
      const result = await call()
      expect(result.schema_version).toBe('0.2.0')
    }
  })
})
