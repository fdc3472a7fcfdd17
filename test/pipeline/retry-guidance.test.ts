import { expect, it } from 'vitest'
import {
  defineTool,
  toolFailure,
  toolOutput,
  type CribOptions,
  type ToolResult,
  type Verdict,
} from 'toolcrib'
import { createGate, onBothStores, openCrib } from '../scenarios/open-crib.js'

const guidance = ({ error }: ToolResult): unknown => error!.toolcrib!['retry']

const no = {
  safe: false,
  change_arguments: false,
  discover_first: false,
  approval_again: false,
  caused_by_sibling: false,
}

onBothStores('[AT-ERR-01] the guidance of an error', (newStore) => {
  async function open(execute: () => unknown, more: object = {}, options: Partial<CribOptions> = {}) {
    const tool = defineTool({ name: 't', description: 'T.', execute, ...more })
    const crib = await openCrib({
      store: newStore(),
      tools: [tool],
      decider: () => ({ behavior: 'allow' }),
      ...options,
    })
    const surface = await crib.surface({ scope: 'turn' })
    return { crib, call: (name = 't', input: unknown = {}) => crib.call(surface, { name, input }) }
  }

  const fail = (error: unknown) => () => {
    throw error
  }
  const asks: Partial<CribOptions> = {
    decider: () => ({ behavior: 'ask' }),
    approver: () => ({ approved: true }),
  }

  it('an unknown tool name: discover first', async () => {
    const { call } = await open(() => 1)
    expect(guidance(await call('nothing'))).toEqual({ ...no, discover_first: true })
  })

  it('invalid arguments, and a deny: change the arguments', async () => {
    const input = { jsonSchema: { type: 'object', properties: { n: { type: 'number' } } } }
    const { call } = await open(() => 1, { input })
    expect(guidance(await call('t', { n: 'x' }))).toEqual({ ...no, change_arguments: true })
    const denied = await open(() => 1, {}, { decider: () => ({ behavior: 'deny' }) })
    expect(guidance(await denied.call())).toEqual({ ...no, change_arguments: true })
  })

  it('a failure is safe to repeat if the tool or the failure says so', async () => {
    const broke = fail(new Error('broke'))
    expect(guidance(await (await open(broke)).call())).toEqual(no)
    for (const more of [{ isIdempotent: true }, { isReadOnly: true }])
      expect(guidance(await (await open(broke, more)).call())).toEqual({ ...no, safe: true })
    const locked = await (
      await open(fail(toolFailure('execution_failed', 'Locked.', { nothingHappened: true })))
    ).call()
    expect(locked.error!.recoverability).toBe('retry')
    expect(guidance(locked)).toEqual({ ...no, safe: true })
  })

  it('missing setup is not safe to repeat, even for a read-only tool', async () => {
    const { call } = await open(fail(toolFailure('setup_required', 'Log in.')), { isReadOnly: true })
    expect(guidance(await call())).toEqual(no)
  })

  it('an approved call and a rejected one need approval again', async () => {
    expect(guidance(await (await open(fail(new Error('broke')), {}, asks)).call())).toEqual({
      ...no,
      approval_again: true,
    })
    const partly = await open(
      () => toolOutput({ structured: 1, partialFailure: 'One was locked.' }),
      {},
      asks,
    )
    expect(guidance(await partly.call())).toEqual({ ...no, approval_again: true })
    const rejected = await open(() => 1, {}, { ...asks, approver: () => ({ approved: false }) })
    expect(guidance(await rejected.call())).toEqual({ ...no, approval_again: true })
  })

  it('a call that was canceled while it waited for approval needs approval again', async () => {
    const asked = createGate()
    const { call } = await open(
      () => 1,
      {},
      {
        ...asks,
        approver: () => {
          asked.open()
          return new Promise<never>(() => {})
        },
      },
    )
    const made = call()
    await asked.promise
    made.cancel()
    expect(guidance(await made)).toEqual({ ...no, safe: true, approval_again: true })
  })

  it('an approval that changed the rules is not needed again', async () => {
    const update = { type: 'addRules', rules: ['t'], behavior: 'allow', destination: 'session' }
    const verdict: Verdict = { behavior: 'ask', suggested_updates: [update] }
    const { crib, call } = await open(
      fail(new Error('broke')),
      {},
      { decider: () => verdict, reviewers: ['ann'], acceptUpdate: () => undefined },
    )
    const made = call()
    const { approval_id: id } = (await made.pending())!
    const answered = await crib.approvals.answer(id, { approved: true, by: 'ann', scope: 'session' })
    expect(answered).toMatchObject({ ok: true })
    expect(guidance(await made)).toEqual(no)
  })

  it('a call that was canceled by a sibling’s failure says so', async () => {
    const { call } = await open(() => 1)
    const made = call()
    made.cancel('sibling_error')
    expect(guidance(await made)).toEqual({ ...no, safe: true, caused_by_sibling: true })
  })
})
