import { describe, expect, it } from 'vitest'
import { defineTool, type BatchPolicy, type CribOptions, type Surface } from 'toolcrib'
import { collect, createGate, onBothStores, openCrib } from '../scenarios/open-crib.js'
import { createWorkbench, settle } from './workbench.js'

const allow = () => ({ behavior: 'allow' }) as const

async function openBench(options: CribOptions = {}) {
  const bench = createWorkbench()
  const crib = await openCrib({
    decider: allow,
    ...options,
    tools: [...bench.tools, ...(options.tools ?? [])],
  })
  const surface = await crib.surface({ scope: 'turn', session: 's1' })
  return { ...bench, crib, surface }
}

const work = (name: string, as: string, more: object = {}) => ({ name, input: { as, ...more } })

onBothStores('turns', (newStore) => {
  it('a read after a write waits for it, also in the next batch of the session', async () => {
    const { crib, surface, gate, log, started } = await openBench({ store: newStore() })
    const first = crib.batch(surface, [work('write', 'w')])
    const second = crib.batch(surface, [work('read', 'r')])
    await started('w')
    await settle()
    expect(log).toEqual(['+w'])
    gate('w').open()
    gate('r').open()
    await Promise.all([first, second])
    expect(log).toEqual(['+w', '-w', '+r', '-r'])
  })

  it('a call of another session, and one outside a batch, do not wait', async () => {
    const { crib, surface, gate, log, started } = await openBench({ store: newStore() })
    const other = await crib.surface({ scope: 'turn', session: 's2' })
    const batch = crib.batch(surface, [work('write', 'a')])
    await started('a')
    const elsewhere = crib.batch(other, [work('write', 'b')])
    const alone = crib.call(surface, work('write', 'c'))
    await Promise.all([started('b'), started('c')])
    for (const name of ['a', 'b', 'c']) gate(name).open()
    await Promise.all([batch, elsewhere, alone])
    expect(log.slice(0, 3).toSorted()).toEqual(['+a', '+b', '+c'])
  })

  it('a batch without a session has a turn of its own', async () => {
    const { crib, gate, started } = await openBench({ store: newStore() })
    const loose: Surface = await crib.surface({ scope: 'turn' })
    const one = crib.batch(loose, [work('write', 'a')])
    const two = crib.batch(loose, [work('write', 'b')])
    await Promise.all([started('a'), started('b')])
    gate('a').open()
    gate('b').open()
    await Promise.all([one, two])
  })

  it('a call that waits for approval delays only calls that may not run beside it', async () => {
    const answer = createGate<{ approved: boolean }>()
    const { crib, surface, gate, log, started } = await openBench({
      store: newStore(),
      decider: ({ input }) => ({ behavior: (input as { as: string }).as === 'asked' ? 'ask' : 'allow' }),
      approver: () => answer.promise,
    })
    const batch = crib.batch(surface, [work('read', 'asked'), work('read', 'beside'), work('write', 'after')])
    await started('beside')
    await settle()
    expect(log).toEqual(['+beside'])
    for (const name of ['asked', 'beside', 'after']) gate(name).open()
    answer.open({ approved: true })
    expect((await batch).map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded'])
    expect(log.indexOf('+after')).toBeGreaterThan(log.indexOf('-asked'))
  })
})

onBothStores('resource locks', (newStore) => {
  it('let unrelated writes run together, serialize related ones, and apply across sessions', async () => {
    const { crib, surface, gate, log, started } = await openBench({ store: newStore() })
    const other = await crib.surface({ scope: 'turn', session: 's2' })
    const batch = crib.batch(surface, [
      work('locked', 'a', { keys: ['db:1'] }),
      work('locked', 'b', { keys: ['db:2'] }),
      work('locked', 'c', { keys: ['db:1', 'db:2'] }),
    ])
    await Promise.all([started('a'), started('b')])
    const across = crib.call(other, work('locked', 'd', { keys: ['db:1'] }))
    await settle()
    expect(log).toEqual(['+a', '+b'])
    const invocation = await crib.invocation(across.invocationId)
    expect(invocation).toMatchObject({
      status: 'queued',
      scheduler: { resource_locks: [{ key: 'db:1', mode: 'exclusive' }] },
    })
    for (const name of ['a', 'b', 'c', 'd']) gate(name).open()
    await Promise.all([batch, across])
    expect(log.indexOf('+c')).toBeGreaterThan(log.indexOf('-a'))
    expect(log.indexOf('+c')).toBeGreaterThan(log.indexOf('-b'))
  })

  it('a lock of a folder conflicts with locks of everything inside it', async () => {
    const { crib, surface, gate, log, started } = await openBench({ store: newStore(), workspace: '/w' })
    const batch = crib.batch(surface, [
      work('file_write', 'inside', { path: 'folder/file' }),
      work('file_write', 'beside', { path: 'folder2' }),
      work('file_write', 'folder', { path: 'folder' }),
    ])
    await Promise.all([started('inside'), started('beside')])
    await settle()
    expect(log).toEqual(['+inside', '+beside'])
    for (const name of ['inside', 'beside', 'folder']) gate(name).open()
    await batch
  })

  it('readers share a lock, and a call that is cancelled while it waits leaves the queue', async () => {
    const { crib, surface, gate, started, log } = await openBench({ store: newStore() })
    const read = (as: string) => crib.call(surface, work('locked_read', as, { keys: ['k'] }))
    const readers = [read('a'), read('b')]
    await Promise.all([started('a'), started('b')])
    const writer = crib.call(surface, work('locked', 'w', { keys: ['k'] }))
    await settle()
    const late = read('late')
    await settle()
    expect(log).toEqual(['+a', '+b'])
    writer.cancel()
    await started('late')
    expect((await writer).status).toBe('canceled')
    for (const name of ['a', 'b', 'late']) gate(name).open()
    await Promise.all([...readers, late])
    expect(log).not.toContain('+w')
  })

  it('are released while the executor waits for a person', async () => {
    const answer = createGate()
    const asked = createGate()
    const log: string[] = []
    const crib = await openCrib({
      store: newStore(),
      decider: allow,
      responder: async () => {
        asked.open()
        await answer.promise
        return { action: 'accept', content: 'yes' }
      },
      tools: [
        defineTool({
          name: 'asks',
          description: 'Asks, then goes on.',
          locks: [{ key: 'k', access: 'write' }],
          async execute(_input, { requestInput }) {
            await requestInput({ message: 'Go on?' })
            log.push('asks')
          },
        }),
        defineTool({
          name: 'other',
          description: 'Needs the same.',
          locks: [{ key: 'k', access: 'write' }],
          execute: () => void log.push('other'),
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const asking = crib.call(surface, { name: 'asks' })
    await asked.promise
    expect((await crib.call(surface, { name: 'other' })).status).toBe('succeeded')
    answer.open()
    expect((await asking).status).toBe('succeeded')
    expect(log).toEqual(['other', 'asks'])
  })

  it('of a tool whose locks cannot be computed cover the whole tool', async () => {
    const gate = createGate()
    const crib = await openCrib({
      store: newStore(),
      decider: allow,
      tools: [
        defineTool({
          name: 'odd',
          description: 'Has locks that break.',
          locks: () => {
            throw new Error('broke')
          },
          execute: () => gate.promise,
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const first = crib.call(surface, { name: 'odd' })
    const second = crib.call(surface, { name: 'odd' })
    await settle()
    expect(await crib.invocation(second.invocationId)).toMatchObject({
      status: 'queued',
      scheduler: { resource_locks: [{ key: 'tool:local.odd', mode: 'exclusive' }] },
    })
    gate.open()
    await Promise.all([first, second])
  })
})

describe('concurrency limits', () => {
  async function most(policy: BatchPolicy, names: string[]): Promise<number> {
    const { crib, surface, gate, log } = await openBench()
    const batch = crib.batch(
      surface,
      names.map((name, index) => work(name, `${index}`)),
      policy,
    )
    await settle()
    const running = log.length
    names.forEach((_, index) => gate(`${index}`).open())
    const results = await batch
    expect(results.every(({ status }) => status === 'succeeded')).toBe(true)
    return running
  }

  it.each<[BatchPolicy, string[], number]>([
    [{ max_parallel: 3 }, Array.from({ length: 9 }, () => 'read'), 3],
    [{}, Array.from({ length: 12 }, () => 'read'), 10],
    [
      { max_parallel: 8, max_parallel_per_tool: 2 },
      ['read', 'read', 'read', 'read_cancel', 'read_cancel', 'read_cancel'],
      4,
    ],
    [{ max_parallel_per_source: 3 }, ['read', 'read', 'read_cancel', 'read_cancel'], 3],
    [{}, ['narrow', 'narrow', 'read'], 2],
    [{ ordering_policy: 'serial' }, ['read', 'read'], 1],
  ])('%j', async (policy, names, expected) => {
    expect(await most(policy, names)).toBe(expected)
  })
})

onBothStores('the stream of a batch', (newStore) => {
  async function readOrder(policy: BatchPolicy): Promise<string[]> {
    const { crib, surface, gate, started } = await openBench({ store: newStore() })
    const batch = crib.batch(surface, [work('read', 'a'), work('read', 'b')], policy)
    const seen: string[] = []
    const reading = (async () => {
      for await (const item of batch) {
        if (item.kind === 'result') seen.push(`result ${item.index}`)
        else if (item.event.event_type === 'tool.invocation.started') seen.push(`started ${item.index}`)
      }
    })()
    await Promise.all([started('a'), started('b')])
    gate('b').open()
    await batch.calls[1]
    await settle()
    gate('a').open()
    await reading
    return seen
  }

  it('yields events immediately and results in order', async () => {
    const seen = await readOrder({})
    expect(seen).toEqual(['started 0', 'started 1', 'result 0', 'result 1'])
  })

  it('yields everything in order', async () => {
    const seen = await readOrder({ yield_policy: 'all_ordered' })
    expect(seen).toEqual(['started 0', 'result 0', 'started 1', 'result 1'])
  })

  it.each<BatchPolicy>([{ yield_policy: 'unordered_streaming' }, { ordering_policy: 'allow_unordered' }])(
    'yields results as calls end: %j',
    async (policy) => {
      const seen = await readOrder(policy)
      expect(seen).toEqual(['started 0', 'started 1', 'result 1', 'result 0'])
    },
  )

  it('a late reader misses nothing, and two readers get the same items', async () => {
    const { crib, surface, gate } = await openBench({ store: newStore() })
    const batch = crib.batch(surface, [work('read', 'a'), work('read', 'b')])
    gate('a').open()
    gate('b').open()
    await batch
    const [one, two] = await Promise.all([collect(batch), collect(batch)])
    expect(one.filter(({ kind }) => kind === 'result')).toHaveLength(2)
    expect(two.map(({ kind, index }) => [kind, index])).toEqual(one.map(({ kind, index }) => [kind, index]))
  })

  it('records the policy, the queue states and the end', async () => {
    const { crib, surface, gate, started } = await openBench({ store: newStore() })
    const batch = crib.batch(surface, [work('read', 'a'), work('read', 'b')])
    await Promise.all([started('a'), started('b')])
    gate('b').open()
    await batch.calls[1]
    expect((await crib.invocation(batch.calls[0]!.invocationId))!.scheduler!.state).toBe('executing')
    expect((await crib.invocation(batch.calls[1]!.invocationId))!.scheduler!.state).toBe('completed')
    gate('a').open()
    await batch
    expect((await crib.invocation(batch.calls[1]!.invocationId))!.scheduler!.state).toBe('yielded')
    const own = (await collect(crib.events())).filter(({ subject }) => subject === batch.batchId)
    expect(own.map(({ event_type: type }) => type)).toEqual([
      'toolcrib.batch.opened',
      'toolcrib.batch.closed',
    ])
    expect(own[0]!.data).toMatchObject({ surface_id: surface.id, policy: batch.policy })
    expect(own[1]!.data!['calls']).toEqual(
      batch.calls.map(({ invocationId }) => ({ invocation_id: invocationId, status: 'succeeded' })),
    )
  })
})

describe('the timeout of a batch', () => {
  it('ends running and waiting calls, each with a result that says so', async () => {
    const { crib, surface, log } = await openBench()
    const batch = crib.batch(surface, [work('write', 'a'), work('write', 'b')], { timeout_ms: 20 })
    const results = await batch
    expect(results).toMatchObject([
      { status: 'timed_out', abort_reason: 'timeout', error: { error_class: 'timeout' } },
      { status: 'timed_out', abort_reason: 'timeout', error: { error_class: 'timeout' } },
    ])
    expect(log).toEqual(['+a', '-a'])
  })
})

describe('context changes', () => {
  const modify = (name: string, as: string, modifier: object) => work(name, as, { modifier })

  it('[AT-PIPE-04] are merged in the order of the calls, whatever the order in which they end', async () => {
    const { crib, surface, gate } = await openBench()
    const batch = crib.batch(surface, [
      modify('deferring_modifier', 'a', { cwd: '/a', first: 1 }),
      modify('deferring_modifier', 'b', { cwd: '/b' }),
      modify('forbidden_modifier', 'c', { cwd: '/c' }),
    ])
    for (const name of ['c', 'b']) {
      gate(name).open()
      await settle()
    }
    gate('a').open()
    const results = await batch
    expect(results.map(({ toolcrib }) => toolcrib!['context_modifier_state'])).toEqual([
      'deferred',
      'deferred',
      'rejected',
    ])
    const { merged, modifiers } = await batch.context()
    expect(merged).toEqual({ cwd: '/b', first: 1 })
    expect(modifiers.map(({ invocationId }) => invocationId)).toEqual(
      batch.calls.slice(0, 2).map(({ invocationId }) => invocationId),
    )
  })

  it('[AT-PIPE-06] [AT-PIPE-03] of a tool that may make them only when it runs alone are rejected beside other calls', async () => {
    const { crib, surface, gate } = await openBench()
    const calls = [
      modify('serial_modifier', 'a', { cwd: '/a' }),
      modify('serial_modifier', 'b', { cwd: '/b' }),
    ]
    for (const name of ['a', 'b']) gate(name).open()
    const beside = crib.batch(surface, calls)
    expect((await beside).map(({ toolcrib }) => toolcrib!['context_modifier_state'])).toEqual([
      'rejected',
      'rejected',
    ])
    const serial = crib.batch(surface, calls, {
      ordering_policy: 'serial',
      context_modifier_policy: 'allow_serial_only',
    })
    expect((await serial).map(({ toolcrib }) => toolcrib!['context_modifier_state'])).toEqual([
      'applied',
      'applied',
    ])
    expect((await serial.context()).merged).toEqual({ cwd: '/b' })
    const forbidden = crib.batch(surface, calls, { context_modifier_policy: 'forbid' })
    expect((await forbidden)[0]!.toolcrib).toMatchObject({
      context_modifier_state: 'rejected',
      context_modifier_rejected_by: 'forbid',
    })
    expect((await forbidden.context()).modifiers).toEqual([])
  })
})

describe('mistakes are reported in one sentence, before anything runs', () => {
  it.each<[string, (crib: Awaited<ReturnType<typeof openBench>>) => unknown, RegExp]>([
    ['no surface', ({ crib }) => crib.batch(undefined as never, []), /^crib\.batch takes a surface first/],
    ['no list', ({ crib, surface }) => crib.batch(surface, 3 as never), /then a list of calls/],
    ['no call', ({ crib, surface }) => crib.batch(surface, [3 as never]), /^Each call of a batch is/],
    [
      'an unknown dependency',
      ({ crib, surface }) => crib.batch(surface, [{ name: 'read', dependsOn: ['x'] }]),
      /depends on "x", which is no call before it/,
    ],
    [
      'a dependency on itself',
      ({ crib, surface }) => crib.batch(surface, [{ name: 'read', id: 'a', dependsOn: ['a'] }]),
      /which is no call before it/,
    ],
    [
      'two of one id',
      ({ crib, surface }) =>
        crib.batch(surface, [
          { name: 'read', id: 'a' },
          { name: 'read', id: 'a' },
        ]),
      /^Two calls of the batch have the id "a"/,
    ],
    [
      'a native id of two calls',
      ({ crib, surface }) =>
        crib.batch(surface, [
          { name: 'read', nativeCallId: 'c' },
          { name: 'read', nativeCallId: 'c' },
          { name: 'read', dependsOn: ['c'] },
        ]),
      /^Two calls of the batch are called "c"/,
    ],
    [
      'the spelling of records',
      ({ crib, surface }) => crib.batch(surface, [{ name: 'read', depends_on: [0] } as never]),
      /in "dependsOn", not in "depends_on"/,
    ],
    [
      'an input where it is still to come',
      ({ crib, surface }) => crib.openBatch(surface).begin({ name: 'read', input: {} } as never),
      /^batch\.begin takes a call without its input/,
    ],
    [
      'a misspelled policy',
      ({ crib, surface }) => crib.batch(surface, [], { max_paralel: 3 } as never),
      /has no option "max_paralel"; did you mean "max_parallel"\?/,
    ],
    [
      'a misspelled choice',
      ({ crib, surface }) => crib.batch(surface, [], { ordering_policy: 'seriel' as never }),
      /cannot be "seriel"; did you mean "serial"\?/,
    ],
    [
      'half a call at a time',
      ({ crib, surface }) => crib.batch(surface, [], { max_parallel: 0.5 }),
      /must be a whole number/,
    ],
    [
      'a lock without a key',
      ({ crib, surface }) => crib.batch(surface, [], { resource_locks: [{} as never] }),
      /each of "resource_locks" is/,
    ],
  ])('%s', async (_title, make, message) => {
    const bench = await openBench()
    expect(() => make(bench)).toThrow(message)
    expect(bench.log).toEqual([])
  })

  it('an empty batch has no results', async () => {
    const { crib, surface } = await openBench()
    expect(await crib.batch(surface, [])).toEqual([])
  })
})

describe('large batches', () => {
  it.each(['cancel_dependent', 'cancel_siblings', 'ignore'] as const)(
    'a long chain of dependencies does not overflow the stack: %s',
    async (policy) => {
      const crib = await openCrib({
        decider: allow,
        tools: [
          defineTool({
            name: 'link',
            description: 'Fails where it is told to.',
            isReadOnly: true,
            isConcurrencySafe: true,
            input: { jsonSchema: { type: 'object' } },
            execute(given) {
              if ((given as { fails?: boolean }).fails) throw new Error('as asked')
            },
          }),
        ],
      })
      const surface = await crib.surface({ scope: 'turn', session: 's1' })
      const calls = Array.from({ length: 1500 }, (_, index) => ({
        name: 'link',
        input: { fails: index === 0 },
        dependsOn: index === 0 ? [] : [index - 1],
      }))
      const [first, ...others] = await crib.batch(surface, calls, { sibling_failure_policy: policy })
      expect(first!.status).toBe('failed')
      const expected = policy === 'ignore' ? 'succeeded' : 'synthetic_error'
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set([expected]))
    },
  )

  it('calls that admit each other one by one do not overflow the stack', async () => {
    const { crib, surface, gate } = await openBench()
    gate('same').open()
    const calls = Array.from({ length: 1500 }, () => work('write', 'same'))
    const results = await crib.batch(surface, calls)
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['succeeded']))
  })
})
