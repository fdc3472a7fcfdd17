import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defineTool, memoryStore, sqliteStore, type ApprovalAnswer, type CribOptions } from 'toolcrib'
import { collect, createGate, openCrib, temporaryStorePath } from '../scenarios/open-crib.js'
import { createWorkbench, settle } from './workbench.js'

const allow = () => ({ behavior: 'allow' }) as const
const work = (name: string, as: string, more: object = {}) => ({ name, input: { as, ...more } })

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

describe('a call that is approved after later calls are ready', () => {
  const asks = ({ input }: { input: unknown }) =>
    ({ behavior: (input as { as: string }).as === 'asked' ? 'ask' : 'allow' }) as const

  it.each([
    ['a call with a conflicting lock runs after it', { approved: true }, 'k'],
    [
      'the same holds if the approval changes its lock',
      { approved: true, updatedInput: { as: 'asked', keys: ['k'] } },
      'other',
    ],
  ])('%s', async (_title, answer, key) => {
    const answered = createGate<ApprovalAnswer>()
    const { crib, surface, gate, log } = await openBench({ decider: asks, approver: () => answered.promise })
    const batch = crib.batch(surface, [
      work('locked', 'asked', { keys: [key] }),
      work('locked', 'next', { keys: ['k'] }),
      work('read', 'last'),
    ])
    await settle()
    for (const name of ['asked', 'next', 'last']) gate(name).open()
    answered.open(answer)
    expect((await batch).map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded'])
    expect(log.indexOf('+asked')).toBeLessThan(log.indexOf('+last'))
    if (key === 'k') expect(log.indexOf('+next')).toBeGreaterThan(log.indexOf('-asked'))
  })
})

describe('a dependency that fails before its dependents are added', () => {
  it('cancels its dependents: present, added later, or completed later', async () => {
    const { crib, surface } = await openBench()
    const policy = { sibling_failure_policy: 'cancel_dependent' } as const
    const at = crib.batch(surface, [{ name: 'nothing' }, { ...work('write', 'w'), dependsOn: [0] }], policy)
    expect((await at).map(({ status }) => status)).toEqual(['failed', 'synthetic_error'])
    const open = crib.openBatch(surface, policy)
    const first = open.begin({ name: 'nothing' })
    const draft = open.begin({ name: 'read', dependsOn: [0] })
    await first.complete()
    draft.append('{"as":"r"}')
    open.add({ ...work('read', 'late'), dependsOn: [0] })
    expect((await open.finish()).map(({ status }) => status)).toEqual([
      'failed',
      'synthetic_error',
      'synthetic_error',
    ])
  })
})

describe('failures at the start', () => {
  it('a call that cannot be recorded does not block the others', async () => {
    const { crib, surface, gate } = await openBench()
    gate('a').open()
    const bad = {
      name: 'read',
      get input(): unknown {
        throw new Error('no input')
      },
    }
    expect(() => crib.batch(surface, [work('write', 'a'), bad])).toThrow('no input')
    expect(() => crib.batch(surface, [{ name: 'read', signal: {} as AbortSignal }])).toThrow(
      /"signal" must be an AbortSignal/,
    )
    gate('b').open()
    expect((await crib.batch(surface, [work('write', 'b')]))[0]!.status).toBe('succeeded')
  })
})

describe('turns of one session', () => {
  it('do not run in parallel while one of them is still open', async () => {
    const { crib, surface, gate, log, started } = await openBench()
    const open = crib.openBatch(surface)
    gate('read').open()
    await open.add(work('read', 'read'))
    const other = crib.batch(surface, [work('write', 'other')])
    await started('other')
    open.add(work('write', 'mine'))
    open.finish()
    await settle()
    expect(log).not.toContain('+mine')
    gate('other').open()
    gate('mine').open()
    await Promise.all([open, other])
    expect(log.indexOf('+mine')).toBeGreaterThan(log.indexOf('-other'))
  })

  it.each(['cancel', 'interrupt'] as const)('after %s, no further call is started', async (how) => {
    const { crib, surface, log } = await openBench()
    const open = crib.openBatch(surface)
    const draft = open.begin({ name: 'write' })
    draft.append('{"as":"draft"}')
    open[how]()
    draft.complete()
    open.add(work('read', 'added'))
    expect((await open.finish()).map(({ status }) => status)).toEqual(['canceled', 'canceled'])
    expect(log).toEqual([])
  })

  it('a call in the background returns its receipt and does not delay others', async () => {
    const { crib, surface, gate, started } = await openBench()
    const batch = crib.batch(surface, [
      { ...work('write', 'server'), runInBackground: true },
      work('write', 'after'),
    ])
    gate('after').open()
    const items = await collect(batch)
    expect(items.filter(({ kind }) => kind === 'result').map(({ index }) => index)).toEqual([0, 1])
    const [receipt, after] = await batch
    expect(receipt!.toolcrib).toMatchObject({ receipt: true })
    expect(after!.status).toBe('succeeded')
    await started('server')
    gate('server').open()
    expect((await crib.task(receipt!.invocation_id).result()).status).toBe('succeeded')
  })
})

describe('questions to a person while locks are released', () => {
  it('two at once: no lock is held until both are answered, and both continue', async () => {
    const answers = [createGate(), createGate()]
    const asked = createGate()
    let questions = 0
    const said: string[] = []
    const lock = { locks: [{ key: 'k', access: 'write' }] } as const
    const crib = await openCrib({
      decider: allow,
      responder: async ({ message }) => {
        if (++questions === 2) asked.open()
        await answers[Number(message)]!.promise
        return { action: 'accept', content: message }
      },
      tools: [
        defineTool({
          name: 'asks',
          description: 'Asks two things.',
          ...lock,
          async execute(_input, { requestInput }) {
            const ask = async (message: string): Promise<void> => {
              await requestInput({ message })
              said.push(message)
            }
            await Promise.all([ask('0'), ask('1')])
          },
        }),
        defineTool({
          name: 'other',
          description: 'Needs the same.',
          ...lock,
          execute: () => said.push('other'),
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'asks' })
    await asked.promise
    answers[0]!.open()
    await settle()
    await crib.call(surface, { name: 'other' })
    expect(said).toEqual(['other'])
    answers[1]!.open()
    expect((await call).status).toBe('succeeded')
    expect(said).toHaveLength(3)
  })
})

describe('time', () => {
  it('a tool keeps its locks until it has stopped', async () => {
    const log: string[] = []
    const crib = await openCrib({
      decider: allow,
      cancelGraceMs: 60_000,
      tools: [
        defineTool({
          name: 'polite',
          description: 'Needs a moment to stop.',
          timeoutMs: 5,
          input: { jsonSchema: { type: 'object' } },
          async execute(given, { signal }) {
            const { as } = given as { as: string }
            log.push(`+${as}`)
            await new Promise((resolve) => signal.addEventListener('abort', resolve))
            await settle()
            log.push(`-${as}`)
            throw signal.reason
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn', session: 's1' })
    const batch = crib.batch(surface, [work('polite', '1'), work('polite', '2')])
    expect((await batch).map(({ status }) => status)).toEqual(['timed_out', 'timed_out'])
    expect(log).toEqual(['+1', '-1', '+2', '-2'])
    expect(await crib.invocation(batch.calls[0]!.invocationId)).toMatchObject({ cancel_acknowledged: true })
  })

  it('a batch timeout may exceed the maximum of a timer', async () => {
    const { crib, surface, gate } = await openBench()
    gate('a').open()
    const batch = crib.batch(surface, [work('read', 'a')], { timeout_ms: 2 ** 40 })
    expect((await batch)[0]!.status).toBe('succeeded')
  })
})

describe('a batch with a suspended call', () => {
  it('rejects, and causes no unhandled rejection for a caller that only reads its stream', async () => {
    const unhandled: unknown[] = []
    const hear = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', hear)
    onTestFinished(() => void process.off('unhandledRejection', hear))
    const { crib, surface } = await openBench({
      store: memoryStore(),
      decider: () => ({ behavior: 'ask' }),
      reviewers: ['ann'],
    })
    const batch = crib.batch(surface, [work('write', 'a')])
    await batch.calls[0]!.pending()
    const reading = collect(batch)
    reading.catch(() => {})
    await crib.close()
    await expect(reading).rejects.toMatchObject({ code: 'toolcrib.still_waiting' })
    await settle()
    expect(unhandled).toEqual([])
  })
})

describe('invalid locks', () => {
  const base = { name: 't', description: 'T.', execute: () => 1 }
  it.each([
    [{ locks: 'path' }, /"locks" must be "paths", a list such as/],
    [{ locks: 'paths' }, /has locks: "paths", but no path fields/],
    [{ locks: 3 }, /"locks" must be/],
    [{ locks: [{ key: 1, access: 'write' }] }, /"locks" must be/],
    [{ locks: [{ key: 'a' }] }, /"locks" must be/],
    [{ locks: [{ key: 'a', access: 'x' }] }, /"locks" must be/],
    [{ locks: ['a'] }, /"locks" must be/],
    [{ maxParallel: 1.5 }, /"maxParallel" must be a whole number/],
    [{ interruptBehavior: 'no' }, /"interruptBehavior" must be one of cancel, block/],
    [{ contextModifierPolicy: 'no' }, /"contextModifierPolicy" must be one of/],
  ])('%j', (wrong, message) => {
    expect(() => defineTool({ ...base, ...(wrong as object) })).toThrow(message)
  })
})

describe('secrets', () => {
  it('that are part of a lock are neither in the records nor in the shared lock table', async () => {
    const path = temporaryStorePath()
    const held = createGate()
    const started = createGate()
    const crib = await openCrib({
      store: sqliteStore({ path }),
      decider: allow,
      tools: [
        defineTool({
          name: 'use',
          description: 'Uses a key.',
          isReadOnly: true,
          input: { jsonSchema: { type: 'object', properties: { key: { type: 'string' } } } },
          sensitiveFields: ['key'],
          locks: ({ key }: { key?: string }) => [{ key: `account:${key}`, access: 'write' }],
          async execute() {
            started.open()
            await held.promise
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const secret = 'a-very-secret-key-4711'
    const first = crib.call(surface, { name: 'use', input: { key: secret } })
    await started.promise
    const second = crib.call(surface, { name: 'use', input: { key: secret } })
    await settle()
    await crib.flush()
    // The same secret is the same lock.
    expect((await crib.invocation(second.invocationId))!.status).toBe('queued')
    expect(JSON.stringify([await crib.locks(), await collect(crib.events())])).not.toContain(secret)
    for (const file of [path, `${path}-wal`]) expect(readFileSync(file).includes(secret)).toBe(false)
    held.open()
    await Promise.all([first, second])
  })
})
