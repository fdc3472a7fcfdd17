import { describe, expect, it, vi } from 'vitest'
import { createCrib, defineHook, defineTool, memoryStore, type Verdict } from 'toolcrib'
import { describeEvent } from '../../src/edges/cli/record/describe-event.js'
import { createGate, onBothStores, openCrib } from '../scenarios/open-crib.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

onBothStores('cancellation', (newStore) => {
  it('a signal that is already aborted stops the call, also when the schema is compiled', async () => {
    const execute = vi.fn(() => 'ran')
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'go', description: 'Goes.', ...quiet, execute })],
    })
    const surface = await crib.surface({ scope: 'turn' })
    await crib.call(surface, { name: 'go' })
    execute.mockClear()
    const result = await crib.call(surface, { name: 'go', signal: AbortSignal.abort() })
    expect(result).toMatchObject({ status: 'canceled', abort_reason: 'user_interruption' })
    expect(execute).not.toHaveBeenCalled()
  })

  it('a call that is canceled in a pre hook requests no approval', async () => {
    const inHook = createGate()
    const goOn = createGate()
    const approver = vi.fn(() => ({ approved: true as const }))
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'write', description: 'Writes.', execute: () => 'written' })],
      hooks: [
        defineHook({
          id: 'slow',
          event: 'pre_tool_use',
          run: async () => {
            inHook.open()
            await goOn.promise
          },
        }),
      ],
      approver,
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write' })
    await inHook.promise
    call.cancel()
    goOn.open()
    expect((await call).status).toBe('canceled')
    expect(approver).not.toHaveBeenCalled()
  })

  it('aborts the signal of a running hook', async () => {
    const inHook = createGate<AbortSignal>()
    const goOn = createGate()
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'write', description: 'Writes.', execute: () => 'written' })],
      hooks: [
        defineHook({
          id: 'slow',
          event: 'pre_tool_use',
          run: async ({ signal }) => {
            inHook.open(signal)
            await goOn.promise
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write' })
    const signal = await inHook.promise
    call.cancel()
    const wasAborted = signal.aborted
    goOn.open()
    await call
    expect(wasAborted).toBe(true)
  })

  it('a call that is canceled before its executor starts has no started_at', async () => {
    const asked = createGate()
    const execute = vi.fn(() => 'written')
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'write', description: 'Writes.', execute })],
      decider: () => {
        asked.open()
        return { behavior: 'allow' }
      },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write' })
    await asked.promise
    call.cancel()
    await call
    // Either order is possible: the record has a start exactly if the executor was called.
    const invocation = (await crib.invocation(call.invocationId))!
    expect('started_at' in invocation).toBe(execute.mock.calls.length > 0)
    expect('call_input' in invocation).toBe(execute.mock.calls.length > 0)
  })
})

type OnAbort = (signal: AbortSignal, reject: (error: unknown) => void) => void

/** What an executor may do when its signal aborts, and what the record says then. */
const ENDS: readonly [string, OnAbort, { stopped: boolean; says?: RegExp }][] = [
  ['rejects with the reason of the signal', (signal, reject) => reject(signal.reason), { stopped: true }],
  ['rejects as Node does', (_signal, reject) => reject(named('AbortError')), { stopped: true }],
  ['rejects as axios does', (_signal, reject) => reject(named('CanceledError')), { stopped: true }],
  [
    'says that it could not stop',
    (_signal, reject) => reject(new Error('could not stop the job')),
    { stopped: false, says: /Its error: could not stop the job/ },
  ],
  [
    'says that it could not stop because of the abort',
    (signal, reject) => reject(new Error('the job goes on', { cause: signal.reason })),
    { stopped: false, says: /Its error: the job goes on/ },
  ],
  ['rejects with nothing', (_signal, reject) => reject(undefined), { stopped: false }],
  ['does nothing', () => {}, { stopped: false, says: /may still have an effect/ }],
]

function named(name: string): Error {
  return Object.assign(new Error('aborted'), { name })
}

describe.each(ENDS)('a tool that %s', (_title, onAbort, { stopped, says = /./ }) => {
  const wait = ({ signal }: { signal: AbortSignal }, started: () => void) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => onAbort(signal, reject))
      started()
    })

  async function endOf(form: 'function' | 'generator', timeoutMs?: number) {
    const started = createGate()
    const crib = await openCrib({
      store: memoryStore(),
      cancelGraceMs: 1,
      tools: [
        defineTool({
          name: 'job',
          description: 'Does a job.',
          ...quiet,
          ...(timeoutMs !== undefined && { timeoutMs }),
          execute:
            form === 'function'
              ? (_input, context) => wait(context, started.open)
              : async function* (_input, context) {
                  yield 'begun'
                  await wait(context, started.open)
                },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'job' })
    await started.promise
    if (timeoutMs === undefined) call.cancel()
    const result = await call
    const { invocation } = (await crib.story(call.invocationId))!
    const events: string[] = []
    for await (const event of crib.events())
      if (event.event_type.includes('.cancel_')) events.push(describeEvent(event))
    return { result, invocation, recorded: events.join('; ') }
  }

  it.each(['function', 'generator'] as const)('and was canceled (%s)', async (form) => {
    const { result, invocation, recorded } = await endOf(form)
    const { error } = result
    const text = `${error!.message} ${result.ui_facing_summary}`
    expect(invocation).toMatchObject({
      status: 'canceled',
      [stopped ? 'cancel_acknowledged' : 'cancel_failed']: true,
    })
    expect(invocation).not.toHaveProperty(stopped ? 'cancel_failed' : 'cancel_acknowledged')
    expect(error!.message).toMatch(says)
    if (stopped) return expect(recorded).toContain('the tool stopped')
    expect(error).toMatchObject({
      error_code: 'toolcrib.cancel_failed',
      recoverability: 'inspect_first',
      toolcrib: { retry: { safe: false } },
    })
    expect(text).toMatch(/given up.*may still have an effect.*may still be running/)
    expect(`${text} ${recorded}`).not.toMatch(/was stopped|started again|the tool stopped/)
  })

  it('and ran out of time', async () => {
    const { result, invocation, recorded } = await endOf('function', 5)
    expect(invocation.status).toBe('timed_out')
    expect(result.error!.message).toMatch(
      stopped ? /was stopped/ : /was given up; it may still have an effect/,
    )
    expect(result.error!.message).toMatch(says)
    expect(recorded).toContain(stopped ? 'the tool stopped' : 'the tool')
    if (!stopped) expect(recorded).not.toContain('the tool stopped')
    expect(invocation).toHaveProperty(stopped ? 'cancel_acknowledged' : 'cancel_failed', true)
  })
})

describe('closing a crib', () => {
  it('does not wait forever for a decider that never answers', async () => {
    const asked = createGate()
    const never = createGate<Verdict>()
    const crib = await createCrib({
      store: memoryStore(),
      tools: [defineTool({ name: 'write', description: 'Writes.', execute: () => 'written' })],
      decider: () => {
        asked.open()
        return never.promise
      },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write' })
    await asked.promise
    const closed = crib.close({ graceMs: 0 }).then(() => 'closed')
    const timeout = new Promise<string>((resolve) => setTimeout(() => resolve('still waiting'), 500))
    const outcome = await Promise.race([closed, timeout])
    never.open({ behavior: 'deny' })
    await Promise.all([call, closed])
    expect(outcome).toBe('closed')
  })

  it('a second close waits for the first', async () => {
    const started = createGate()
    const finish = createGate()
    const crib = await createCrib({
      store: memoryStore(),
      tools: [
        defineTool({
          name: 'slow',
          description: 'Takes its time.',
          ...quiet,
          async execute() {
            started.open()
            await finish.promise
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'slow' })
    await started.promise
    let isFirstDone = false
    const first = crib.close().then(() => (isFirstDone = true))
    const second = crib.close().then(() => isFirstDone)
    await new Promise(setImmediate)
    finish.open()
    await Promise.all([call, first])
    expect(await second).toBe(true)
  })

  it('a call on a closed crib does not keep the process busy', async () => {
    const store = memoryStore()
    let attempts = 0
    const counting = {
      ...store,
      write(group: Parameters<typeof store.write>[0]) {
        attempts++
        return store.write(group)
      },
    }
    const crib = await createCrib({
      store: counting,
      tools: [defineTool({ name: 'go', description: 'Goes.', ...quiet, execute: () => 'went' })],
    })
    const surface = await crib.surface({ scope: 'turn' })
    await crib.close()
    expect(await crib.call(surface, { name: 'go' })).toMatchObject({ is_error: true })
    attempts = 0
    await new Promise((resolve) => setTimeout(resolve, 200))
    // One last try is fine; trying every few milliseconds is not.
    expect(attempts).toBeLessThan(5)
  })
})
