import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  createCrib,
  defineHook,
  defineTool,
  sqliteStore,
  type Crib,
  type CribOptions,
  type ExecuteContext,
  type ToolProgress,
  type ToolResult,
} from 'toolcrib'
import { toExecutionProfile } from '../../src/catalog/records/to-profiles.js'
import { expectRecord } from '../edges/cli/run-cli.js'
import { checkLog } from '../crib/recovery/check-log.mjs'
import { collect, createGate, onBothStores, openCrib, temporaryStorePath } from '../scenarios/open-crib.js'
import { endChildren, startChild } from '../storage/run-child.js'
import { documentsOf } from '../storage/make-records.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

afterEach(endChildren)

/** A tool that runs until it is released or aborted. */
function slowTool(more: object = {}) {
  const started = createGate<ExecuteContext>()
  const finish = createGate<unknown>()
  const tool = defineTool({
    name: 'slow',
    description: 'Takes its time.',
    ...quiet,
    supports: ['progress', 'cancel'],
    execute(_input, context) {
      started.open(context)
      const aborted = new Promise<never>((_, reject) =>
        context.signal.addEventListener('abort', () => reject(context.signal.reason)),
      )
      return Promise.race([finish.promise, aborted])
    },
    ...more,
  })
  return { tool, started, finish }
}

async function start(options: CribOptions = {}, more: object = {}) {
  const { tool, started, finish } = slowTool(more)
  const crib = await openCrib({ decider: () => ({ behavior: 'allow' }), tools: [tool], ...options })
  return { crib, surface: await crib.surface({ scope: 'turn' }), started, finish }
}

onBothStores('a background call', (newStore) => {
  it('returns a receipt at once, and its one result later', async () => {
    const { crib, surface, started, finish } = await start({ store: newStore() })
    const call = crib.call(surface, { name: 'slow', nativeCallId: 'call_7', runInBackground: true })
    const receipt = await call
    expectRecord('tool_result', receipt)
    expect(receipt).toMatchObject({
      result_id: `receipt_${call.invocationId}`,
      invocation_id: call.invocationId,
      status: 'partial_succeeded',
      is_error: false,
      redaction_state: 'none',
      content: [{ type: 'text', text: expect.stringContaining(call.invocationId) }],
      toolcrib: {
        receipt: true,
        task_id: call.invocationId,
        tool_id: 'local.slow',
        native_call_id: 'call_7',
      },
    })
    expect(await crib.result(call.invocationId)).toBeUndefined()
    expect(await crib.resolveRef(receipt.result_id)).toEqual(receipt)
    const context = await started.promise
    context.progress({ message: 'at work', percent: 5 })
    finish.open('done')
    const result = await crib.task(call.invocationId).result()
    expect(result).toMatchObject({ result_id: `res_${call.invocationId}`, status: 'succeeded' })
    expect(await crib.result(call.invocationId)).toEqual(result)
    const { progress } = (await crib.story(call.invocationId))!
    expect(progress).toMatchObject([
      { status: 'backgrounded', task_id: call.invocationId },
      { status: 'running', task_id: call.invocationId, message: 'at work' },
    ])
    expect((await checkLog(crib)).problems).toEqual([])
  })

  it('returns its result at once if it has already ended', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'quick', description: 'Quick.', ...quiet, execute: () => 'ok' })],
    })
    const surface = await crib.surface({ scope: 'turn' })
    // The first call of a tool waits for its schema.
    await crib.call(surface, { name: 'quick' })
    expect(await crib.call(surface, { name: 'quick', runInBackground: true })).toMatchObject({
      status: 'succeeded',
      content: [{ text: 'ok' }],
    })
    const unknown = await crib.call(surface, { name: 'nothing', runInBackground: true })
    expect(unknown).toMatchObject({ is_error: true, error: { error_class: 'unknown_tool' } })
  })

  it('continues when its caller has gone, unless the caller left before it began', async () => {
    const { crib, surface, started, finish } = await start({ store: newStore() })
    const caller = new AbortController()
    const { signal } = caller
    const { invocation_id: id } = await crib.call(surface, { name: 'slow', signal, runInBackground: true })
    await started.promise
    caller.abort()
    finish.open('done')
    expect(await crib.task(id).result()).toMatchObject({ status: 'succeeded' })
    expect(await crib.invocation(id)).not.toHaveProperty('cancel_requested')
    expect(await crib.call(surface, { name: 'slow', signal, runInBackground: true })).toMatchObject({
      status: 'canceled',
    })
  })

  it('reports its status, and can be cancelled', async () => {
    const { crib, surface, started } = await start({ store: newStore() })
    const { invocation_id: id } = await crib.call(surface, { name: 'slow', runInBackground: true })
    const task = crib.task(id)
    expect(task.invocationId).toBe(id)
    await started.promise
    expect(await task.status()).toBe('running')
    const [open, ...more] = await collect(crib.tasks())
    expect(more).toEqual([])
    expect(open).toMatchObject({
      invocation: { invocation_id: id, status: 'running' },
      progress: { invocation_id: id },
      owner: { pid: process.pid },
    })
    expect(await task.cancel()).toBe('requested')
    expect(await task.result()).toMatchObject({ status: 'canceled', abort_reason: 'user_interruption' })
    expect(await task.status()).toBe('canceled')
    expect(await task.cancel()).toBe('ended')
    expect(await collect(crib.tasks())).toEqual([])
    expect(await crib.invocation(id)).toMatchObject({ cancel_requested: true, cancel_acknowledged: true })
  })

  it('can be cancelled through another crib that has the same store', async () => {
    const store = newStore()
    const { crib, surface, started } = await start({ store })
    const { invocation_id: id } = await crib.call(surface, { name: 'slow', runInBackground: true })
    await started.promise
    // In memory, two cribs share the store object itself.
    const twin = await createCrib({
      store: store.isEphemeral ? store : sqliteStore({ path: store.location, pollMs: 5 }),
    })
    onTestFinished(() => twin.close().catch(() => {}))
    await expect.poll(() => twin.task(id).status()).toBe('running')
    expect(await twin.task(id).cancel('fallback')).toBe('requested')
    expect(await twin.task(id).result()).toMatchObject({ status: 'discarded', abort_reason: 'fallback' })
    await expect.poll(() => documentsOf(store, 'toolcrib.system', 'cancel_request')).toEqual([])
  })

  it('an unknown id has no status, no progress and no result', async () => {
    const { crib } = await start({ store: newStore() })
    const task = crib.task('inv_nothing')
    expect(await task.status()).toBeUndefined()
    expect(await collect(task.progress({ follow: true }))).toEqual([])
    expect(await task.cancel()).toBe('unknown')
    await expect(task.result()).rejects.toThrow(/There is no call inv_nothing/)
    expect(await crib.resolveRef('receipt_inv_nothing')).toBeUndefined()
    expect(await documentsOf(crib.store, 'toolcrib.system', 'cancel_request')).toEqual([])
  })

  it('belongs to its tenant', async () => {
    const { crib, started } = await start({ store: newStore() })
    const surface = await crib.surface({ scope: 'turn', tenant: 'other' })
    const { invocation_id: id } = await crib.call(surface, { name: 'slow', runInBackground: true })
    await started.promise
    expect(await crib.task(id).status()).toBeUndefined()
    expect(await crib.task(id).cancel()).toBe('unknown')
    expect(await collect(crib.progress(id))).toEqual([])
    expect(await collect(crib.tasks())).toEqual([])
    const task = crib.task(id, { tenant: 'other' })
    expect(await collect(crib.tasks({ tenant: 'other' }))).toHaveLength(1)
    expect((await collect(task.progress())).length).toBeGreaterThan(0)
    expect(await task.cancel()).toBe('requested')
    expect(await task.result()).toMatchObject({ status: 'canceled' })
  })

  it('streams to its end, and reports what it waits for', async () => {
    const { crib, surface, finish } = await start({
      store: newStore(),
      reviewers: ['ann'],
      decider: () => ({ behavior: 'ask' }),
    })
    const call = crib.call(surface, { name: 'slow', runInBackground: true })
    expect((await call).toolcrib).toMatchObject({ receipt: true })
    const streamed = collect(call)
    const question = (await call.pending())!
    expect(await crib.task(call.invocationId).status()).toBe('awaiting_approval')
    finish.open('done')
    await crib.approvals.answer(question.approval_id, { approved: true, by: 'ann' })
    expect((await streamed).at(-1)!.event_type).toBe('tool.result.created')
    const told = await collect(crib.progress(call.invocationId))
    expect(told.map(({ status }) => status)).toEqual([
      'backgrounded',
      'waiting_for_permission',
      'started',
      'completed',
    ])
    for (const each of told) expect(each).toMatchObject({ task_id: call.invocationId })
  })

  it('returns a result that must not be stored only to a waiting caller of this process', async () => {
    const { crib, surface, started, finish } = await start({
      store: newStore(),
      hooks: [
        defineHook({
          id: 'private',
          event: 'result_persistence',
          run: () => ({ persistence: { strategy: 'never_persist', reason: 'private' } }),
        }),
      ],
    })
    const { invocation_id: id } = await crib.call(surface, { name: 'slow', runInBackground: true })
    const waiting = crib.task(id).result()
    await started.promise
    finish.open('between us')
    expect(JSON.stringify(await waiting)).toContain('between us')
    expect(JSON.stringify(await crib.task(id).result())).not.toContain('between us')
  })

  it('an aborted wait leaves the call running', async () => {
    const { crib, surface, started } = await start({ store: newStore() })
    const { invocation_id: id } = await crib.call(surface, { name: 'slow', runInBackground: true })
    await started.promise
    const impatient = new AbortController()
    const waiting = crib.task(id).result({ signal: impatient.signal })
    impatient.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(await crib.task(id).status()).toBe('running')
  })
})

onBothStores('closing a crib', (newStore) => {
  it('cancels a background call that may be interrupted, at once', async () => {
    const store = newStore()
    const { crib, surface, started } = await start({ store }, { interruptBehavior: 'cancel' })
    const { invocation_id: id } = await crib.call(surface, { name: 'slow', runInBackground: true })
    await started.promise
    const result = crib.task(id).result()
    await crib.close({ graceMs: 3_600_000 })
    expect(await result).toMatchObject({ status: 'canceled', abort_reason: 'runtime_shutdown' })
  })

  it('gives a blocking call its grace period', async () => {
    const { crib, surface, started, finish } = await start({ store: newStore() })
    const { invocation_id: id } = await crib.call(surface, { name: 'slow', runInBackground: true })
    const context = await started.promise
    const result = crib.task(id).result()
    const closing = crib.close({ graceMs: 3_600_000 })
    await new Promise(setImmediate)
    expect(context.signal.aborted).toBe(false)
    finish.open('done')
    await closing
    expect(await result).toMatchObject({ status: 'succeeded' })
  })

  it('cancels a blocking call when the grace period is over', async () => {
    const { crib, surface, started } = await start({ store: newStore() })
    const { invocation_id: id } = await crib.call(surface, { name: 'slow', runInBackground: true })
    await started.promise
    const result = crib.task(id).result()
    await crib.close({ graceMs: 0 })
    expect(await result).toMatchObject({ status: 'canceled', abort_reason: 'runtime_shutdown' })
  })

  it('rejects waits for a call of another process', async () => {
    const store = newStore()
    const { crib, surface, started } = await start({ store })
    const { invocation_id: id } = await crib.call(surface, { name: 'slow', runInBackground: true })
    await started.promise
    const reader = await createCrib({ store: { ...store, open: async () => {}, close: async () => {} } })
    const waiting = reader.task(id).result()
    const following = collect(reader.progress(id, { follow: true }))
    await reader.close()
    await expect(waiting).rejects.toMatchObject({ code: 'toolcrib.store_closed' })
    expect((await following).map(({ status }) => status)).not.toContain('completed')
    expect(await crib.task(id).status()).toBe('running')
  })
})

describe('a background API refuses wrong arguments with one sentence', () => {
  it.each<[string, (crib: Crib) => unknown, RegExp]>([
    ['since', (crib) => collect(crib.progress('inv_1', { since: -1 })), /"since" must be a number of 0/],
    ['since', (crib) => collect(crib.progress('inv_1', { since: '3' as never })), /"since" must be/],
    ['an option', (crib) => collect(crib.progress('inv_1', { from: 3 } as never)), /has no option "from"/],
    ['an id', (crib) => crib.task(7 as never), /takes the id of a call/],
    ['a reason', (crib) => crib.task('inv_1').cancel('bored' as never), /must be one of user_interruption/],
    [
      'runInBackground',
      async (crib) =>
        crib.call(await crib.surface({ scope: 'turn' }), { name: 'x', runInBackground: 'yes' as never }),
      /"runInBackground" must be true or false/,
    ],
  ])('in %s', async (_what, slip, sentence) => {
    const crib = await openCrib()
    await expect((async () => slip(crib))()).rejects.toThrow(sentence)
  })

  it('every tool supports the background, and its profile says so', async () => {
    const { crib } = await start()
    expect(toExecutionProfile(crib.tool('slow')!).supports_background).toBe(true)
  })
})

describe('in another process', () => {
  const CHILD = new URL('./children/count-in-background.mjs', import.meta.url)

  async function startCounting(name: 'count' | 'ask' = 'count') {
    const path = temporaryStorePath()
    const child = startChild(CHILD, [path, name])
    await child.said(';\n')
    const crib = await openCrib({ store: sqliteStore({ path, pollMs: 5 }), reviewers: ['ann'] })
    const [open] = await collect(crib.tasks())
    const status = name === 'ask' ? 'awaiting_approval' : 'running'
    await expect.poll(() => crib.task(open!.invocation.invocation_id).status()).toBe(status)
    return { child, crib, id: open!.invocation.invocation_id, open: open! }
  }

  it('progress is followed, and a reader that resumes misses nothing and sees nothing twice', async () => {
    const { child, crib, id, open } = await startCounting()
    expect(open.owner.pid).toBe(child.pid)
    const whole = collect(crib.progress(id, { follow: true }))
    const pieces: ToolProgress[] = []
    let count = 0
    for (let since = 0; pieces.at(-1)?.status !== 'completed'; since = pieces.at(-1)!.sequence) {
      if (count < 10) child.say(`line ${++count}`)
      else child.say('end')
      for await (const progress of crib.progress(id, { since, follow: true })) {
        pieces.push(progress)
        if (progress.line_count === count && count <= 10) break
      }
    }
    expect(pieces).toEqual(await whole)
    expect(await collect(crib.progress(id))).toEqual(pieces)
    const sequences = pieces.map(({ sequence }) => sequence)
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
    for (const each of pieces) {
      expectRecord('tool_progress', each)
      expect(await crib.resolveRef(each.progress_id)).toEqual(each)
    }
    const said = pieces.filter(({ message }) => message).map(({ message }) => message)
    expect(said).toEqual(Array.from({ length: 10 }, (_, index) => `line ${index + 1}`))
    expect(await crib.task(id).result()).toMatchObject({ structured_content: { count: 10 } })
    expect((await child.end).code).toBe(0)
  })

  it('a call is cancelled, with a recorded reason', async () => {
    const { child, crib, id } = await startCounting()
    const task = crib.task(id)
    expect(await task.cancel()).toBe('requested')
    const result = await task.result()
    expect(result).toMatchObject({ status: 'canceled', abort_reason: 'user_interruption' })
    const { stdout, code } = await child.end
    expect(code).toBe(0)
    expect(JSON.parse(/^result (.*);$/m.exec(stdout)![1]!) as ToolResult).toMatchObject({
      status: 'canceled',
    })
    expect(await crib.invocation(id)).toMatchObject({ cancel_requested: true, cancel_acknowledged: true })
    expect(await task.cancel()).toBe('ended')
    expect(await documentsOf(crib.store, 'toolcrib.system', 'cancel_request')).toEqual([])
  })

  it('a call whose process is gone ends as soon as it is queried', async () => {
    for (const ask of ['cancel', 'status', 'result', 'progress'] as const) {
      const { child, crib, id } = await startCounting()
      child.kill('SIGKILL')
      await child.end
      const task = crib.task(id)
      if (ask === 'cancel') expect(await task.cancel()).toBe('ended')
      else if (ask === 'status') expect(await task.status()).toBe('failed')
      else if (ask === 'result') expect((await task.result()).error!.error_code).toBe('toolcrib.owner_lost')
      else
        expect((await collect(task.progress({ follow: true }))).at(-1)).toMatchObject({
          status: 'failed',
          message: expect.stringContaining('The process that ran the call ended'),
        })
      expect(await task.status()).toBe('failed')
      expect((await checkLog(crib)).problems).toEqual([])
    }
  })

  it('a call that waits for approval without an owner is cancelled for good', async () => {
    const { child, crib, id } = await startCounting('ask')
    child.kill('SIGKILL')
    await child.end
    const task = crib.task(id)
    expect(await task.status()).toBe('awaiting_approval')
    const [question] = await crib.approvals.list({ status: 'pending' })
    expect(await task.cancel()).toBe('ended')
    expect(await task.result()).toMatchObject({ status: 'canceled', abort_reason: 'user_interruption' })
    expect(await crib.invocation(id)).toMatchObject({ status: 'canceled', cancel_requested: true })
    expect(await crib.approvals.get(question!.approval_id)).toMatchObject({ status: 'withdrawn' })
    const late = await crib.approvals.answer(question!.approval_id, { approved: true, by: 'ann' })
    expect(late.ok).toBe(false)
    expect((await checkLog(crib)).problems).toEqual([])
  })

  it('a call that waits for approval is cancelled by its own process', async () => {
    const { child, crib, id } = await startCounting('ask')
    expect(await crib.task(id).cancel()).toBe('requested')
    expect(await crib.task(id).result()).toMatchObject({ status: 'canceled' })
    expect((await child.end).code).toBe(0)
  })

  it('a cancel request for an unknown call is deleted', async () => {
    const { child, crib, id } = await startCounting()
    const value = { tenant: 'default', reason: 'user_interruption' }
    await crib.store.write({
      documents: [{ tenant: 'toolcrib.system', kind: 'cancel_request', id: 'inv_gone', updatedAt: 1, value }],
    })
    await openCrib({ store: sqliteStore({ path: crib.store.location }) })
    expect(await documentsOf(crib.store, 'toolcrib.system', 'cancel_request')).toEqual([])
    await crib.task(id).cancel()
    await child.end
  })
})
