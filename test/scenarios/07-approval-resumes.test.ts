import { expect, it, vi } from 'vitest'
import { defineTool, sqliteStore, type ApprovalAnswer, type ApprovalRequest } from 'toolcrib'
import { collect, createGate, onBothStores, openCrib, temporaryStorePath } from './open-crib.js'

const deleteTool = (execute: () => unknown) =>
  defineTool({
    namespace: 'db',
    name: 'drop_table',
    title: 'Drop a table',
    description: 'Deletes a whole table.',
    input: { jsonSchema: { type: 'object', properties: { table: { type: 'string' } }, required: ['table'] } },
    isDestructive: true,
    permission: { risk_level: 'critical', approval_required: true },
    execute,
  })

onBothStores(
  '[AT-SCEN-07] acceptance scenario 7: a risky call pauses and continues under the same id',
  (newStore) => {
    it('[AT-PERM-03] [AT-LIFE-03] requests approval, waits visibly, then runs', async () => {
      const asked = createGate<ApprovalRequest>()
      const answer = createGate<ApprovalAnswer>()
      const execute = vi.fn(() => 'dropped')
      const crib = await openCrib({
        store: newStore(),
        tools: [deleteTool(execute)],
        actor: 'agent:7',
        approver: (request) => {
          asked.open(request)
          return answer.promise
        },
      })
      const surface = await crib.surface({ scope: 'turn', session: 's1' })
      const call = crib.call(surface, {
        name: 'db.drop_table',
        input: { table: 'users' },
        nativeCallId: 'toolu_7',
      })
      const request = await asked.promise
      expect(request).toMatchObject({
        invocationId: call.invocationId,
        toolId: 'db.drop_table',
        title: 'db.drop_table (Drop a table)',
        description: 'Deletes a whole table.',
        input: { table: 'users' },
        actor: 'agent:7',
        session: 's1',
        facts: { is_destructive: true },
        permission: { risk_level: 'critical' },
      })
      expect(request.message).toContain('requires approval')

      const waiting = (await crib.invocation(call.invocationId))!
      expect(waiting).toMatchObject({
        invocation_id: call.invocationId,
        status: 'awaiting_approval',
        native_call_id: 'toolu_7',
        actor_ref: 'agent:7',
        permission_input: { table: 'users' },
      })
      expect(waiting.approval_request_ref).toContain(call.invocationId)
      expect(waiting).not.toHaveProperty('started_at')
      expect(await crib.result(call.invocationId)).toBeUndefined()
      const listed = await collect(crib.invocations({ status: 'awaiting_approval' }))
      expect(listed.map(({ invocation_id: id }) => id)).toEqual([call.invocationId])
      expect(execute).not.toHaveBeenCalled()

      answer.open({ approved: true, feedback: 'Only this once.', by: 'anna' })
      expect(await call).toMatchObject({ status: 'succeeded', invocation_id: call.invocationId })
      expect(execute).toHaveBeenCalledOnce()

      const { invocation, decisions } = (await crib.story(call.invocationId))!
      expect(invocation.status_transitions!.map(({ to }) => to)).toEqual([
        'planned',
        'selected',
        'arguments_ready',
        'awaiting_approval',
        'approved',
        'running',
        'succeeded',
      ])
      for (const { at } of invocation.status_transitions!) expect(new Date(at).toISOString()).toBe(at)
      expect(decisions).toMatchObject([
        { behavior: 'ask', source: 'toolcrib.default' },
        {
          behavior: 'allow',
          source: 'toolcrib.approver',
          user_modified: false,
          accept_feedback: 'Only this once.',
          toolcrib: { by: 'anna' },
        },
      ])
      expect(invocation.permission_decision_refs).toEqual(decisions.map(({ decision_id: id }) => id))
      const events = await collect(crib.events())
      const ids = new Set(events.filter(({ invocation_id: id }) => id).map(({ invocation_id: id }) => id))
      expect([...ids]).toEqual([call.invocationId])
    })

    it('other calls continue while one waits', async () => {
      const asked = createGate()
      const answer = createGate<ApprovalAnswer>()
      const look = defineTool({
        name: 'look',
        description: 'Looks.',
        isReadOnly: true,
        isOpenWorld: false,
        execute: () => 'seen',
      })
      const crib = await openCrib({
        store: newStore(),
        tools: [deleteTool(() => 'dropped'), look],
        approver: () => {
          asked.open()
          return answer.promise
        },
      })
      const surface = await crib.surface({ scope: 'turn' })
      const risky = crib.call(surface, { name: 'drop_table', input: { table: 't' } })
      await asked.promise
      expect((await crib.call(surface, { name: 'look' })).status).toBe('succeeded')
      answer.open({ approved: true })
      expect((await risky).status).toBe('succeeded')
    })

    it('an edited input is judged again and the person is not asked twice', async () => {
      const judged: unknown[] = []
      const approver = vi.fn((): ApprovalAnswer => ({ approved: true, updatedInput: { table: 'drafts' } }))
      const crib = await openCrib({
        store: newStore(),
        tools: [deleteTool(() => 'dropped')],
        decider: ({ input }) => {
          judged.push(input)
          return { behavior: 'ask', reason: { type: 'rule', message: 'Dropping is asked about.' } }
        },
        approver,
      })
      const surface = await crib.surface({ scope: 'turn' })
      const call = crib.call(surface, { name: 'drop_table', input: { table: 'users' } })
      expect((await call).status).toBe('succeeded')
      expect(approver).toHaveBeenCalledOnce()
      expect(judged).toEqual([{ table: 'users' }, { table: 'drafts' }])
      const { decisions } = (await crib.story(call.invocationId))!
      expect(decisions.some(({ user_modified: modified }) => modified === true)).toBe(true)
    })

    it('an edit to a forbidden input is denied, approved or not', async () => {
      const execute = vi.fn()
      const crib = await openCrib({
        store: newStore(),
        tools: [deleteTool(execute)],
        decider: ({ input }) =>
          (input as { table: string }).table === 'users' ? { behavior: 'deny' } : { behavior: 'ask' },
        approver: () => ({ approved: true, updatedInput: { table: 'users' } }),
      })
      const surface = await crib.surface({ scope: 'turn' })
      const result = await crib.call(surface, { name: 'drop_table', input: { table: 'drafts' } })
      expect(result).toMatchObject({ status: 'denied', error: { error_class: 'permission_denied' } })
      expect(execute).not.toHaveBeenCalled()
    })
  },
)

it('acceptance scenario 7: a second crib on the same SQLite file sees the pause and does not disturb it', async () => {
  const path = temporaryStorePath()
  const asked = createGate()
  const answer = createGate<ApprovalAnswer>()
  const first = await openCrib({
    store: sqliteStore({ path }),
    tools: [deleteTool(() => 'dropped')],
    approver: () => {
      asked.open()
      return answer.promise
    },
  })
  const surface = await first.surface({ scope: 'turn' })
  const call = first.call(surface, { name: 'drop_table', input: { table: 'users' } })
  await asked.promise
  await first.flush()

  const second = await openCrib({ store: sqliteStore({ path }) })
  expect(await second.invocation(call.invocationId)).toMatchObject({
    status: 'awaiting_approval',
    model_input: { table: 'users' },
  })
  expect(await second.result(call.invocationId)).toBeUndefined()
  expect((await second.story(call.invocationId))!.decisions).toMatchObject([{ behavior: 'ask' }])

  answer.open({ approved: true })
  expect((await call).status).toBe('succeeded')
  await first.flush()
  expect(await second.invocation(call.invocationId)).toMatchObject({ status: 'succeeded' })
  expect(await second.result(call.invocationId)).toMatchObject({
    status: 'succeeded',
    invocation_id: call.invocationId,
  })
})
